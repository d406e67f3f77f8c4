// What the space shows, as a table: for screen readers, and for those who like tables. Made only
// while it is unfolded.
import { h } from "./dom";
import { grid } from "./grid";
import { memoryRows } from "./memory_words";
import { described } from "./names";
import type { Player } from "./player";
import { ROLES } from "./roles";
import { plain } from "./terms";
import type { Scene, Step } from "./trace";

const MOST = 200;
type Row = [what: string, from: string, to: string];

export class TableView {
  private readonly body = h(
    "div", { class: "pnb-scroll", tabindex: 0, role: "region", "aria-label": "The step as a table" },
  );
  readonly element = h(
    "details", { class: "pnb-table", toggle: () => this.update() },
    h("summary", {}, "This step as a table"), this.body,
  );

  constructor(private readonly player: Player) {}

  update(): void {
    const { scene, memory, conflict, shown, asking } = this.player;
    this.element.hidden = (!scene && !memory) || asking !== null;
    if (!this.element.open || this.element.hidden || !shown) return;
    const rows = memory ? memoryRows(memory, conflict) : scene ? rowsOf(scene, shown) : [];
    const titles = memory ? ["what", "where", "value"] : ["what", "instance", "to"];
    const table = grid(titles, rows.slice(0, MOST));
    table.createCaption().textContent = plain(shown.sentence);
    this.body.replaceChildren(
      table,
      rows.length > MOST ? `and ${rows.length - MOST} more` : "",
    );
  }
}

/** The witness, then what overlays say; in steps without either, all instances. */
function rowsOf(scene: Scene, step: Step): Row[] {
  const rows: Row[] = (step.witness?.instances ?? []).map(
    ({ role, name, date }) => [`witness: ${role}`, `${name}, date (${date.join(", ")})`, ""],
  );
  for (const o of step.overlays ?? []) {
    const what = `${ROLES[o.role] ?? o.role}: ${o.label}`;
    rows.push(...(o.instances ?? []).map((at): Row => [what, described(scene, at), ""]));
    rows.push(...(o.pairs ?? []).map(([a, p, b, q]): Row =>
      [what, described(scene, [a, p]), described(scene, [b, q])]));
  }
  if (rows.length > 0) return rows;
  return scene.spaces.flatMap((s, space) =>
    s.points.map((_, point): Row => ["instance", described(scene, [space, point]), ""]));
}
