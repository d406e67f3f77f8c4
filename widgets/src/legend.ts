// What the space shows: a switch for each role, the overlays by name, dependences and order.
import { focusedIn, h, svg, swatch } from "./dom";
import { sightOf } from "./focus";
import type { LinkGroup, Links } from "./links";
import { lettersOf } from "./overlay";
import type { Player } from "./player";
import { ROLES, TERMS, TIES } from "./roles";
import { curveHead, curveLine, shape } from "./shapes";
import type { Overlay, Role } from "./trace";

const ARROWS: ReadonlySet<Role> = new Set([
  "raw", "war", "waw", "propagation", "condition", "conditioned", "violated",
]);

/** Of a swatch: the arrow, with the instance in its middle. */
const ARROW = { start: { x: 2, y: 9 }, control: { x: 12, y: 9 }, end: { x: 22, y: 9 }, loop: false };

const MOST_LABELS = 3;

export class Legend {
  private readonly roles = h("ul", { class: "pnb-roles" });
  private readonly relations = toggle("dependences", "All dependences of the program", () =>
    this.player.display.toggleRelations(this.player.showsRelations));
  private readonly order = toggle("order", "In which order the instances are executed (key: o)", () =>
    this.player.display.toggleOrder(this.player.showsOrder));
  private readonly everything = toggle("all arrows", "The arrows of all instances, not only of one (key: a)", () =>
    this.player.display.toggleEverything());
  readonly element = h(
    "div", { class: "pnb-legend" },
    h("div", { class: "pnb-switches" }, this.order, this.relations, this.everything), this.roles,
  );
  private readonly links: LinkGroup;
  private shown = "";

  constructor(private readonly player: Player, links: Links) {
    this.links = links.group();
  }

  update(): void {
    const { player } = this;
    const { scene, showsRelations } = player;
    const sight = sightOf(player);
    this.element.hidden = !scene || player.memory !== null;
    if (!scene || player.memory) return;
    press(this.relations, showsRelations);
    press(this.order, player.showsOrder);
    press(this.everything, player.display.everything);
    this.everything.hidden = !sight.tangled;
    this.relations.hidden = scene.relations.length === 0;
    const hidden = player.display.hidden;
    const overlays = [...sight.overlays, ...sight.relations];
    const shown = JSON.stringify([hidden, overlays.map((o) => [o.id, o.label, o.pairs?.length])]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.element.classList.remove("pnb-open");
    this.rebuild(overlays, hidden);
  }

  private rebuild(overlays: readonly Overlay[], hidden: readonly string[]): void {
    const focused = focusedIn(this.roles);
    const role = focused?.getAttribute("data-role");
    const letters = lettersOf(this.player.overlays);
    const byRole = new Map<Role, Overlay[]>();
    for (const o of overlays) byRole.set(o.role, [...(byRole.get(o.role) ?? []), o]);
    this.links.clear();
    this.roles.replaceChildren(...[...byRole].map(([r, same]) => this.entry(r, same, letters, !hidden.includes(r))));
    if (role) this.roles.querySelector<HTMLElement>(`[data-role="${role}"]`)?.focus();
  }

  private entry(role: Role, overlays: readonly Overlay[], letters: Map<string, string>, on: boolean): HTMLElement {
    const button = toggle(ROLES[role] ?? role, "Show or hide these", () => this.player.display.toggleRole(role));
    button.prepend(looks(role));
    button.setAttribute("data-role", role);
    const term = TERMS[role];
    if (term) button.setAttribute("data-term", term);
    press(button, on);
    const byText = new Map<string, Overlay[]>();
    for (const o of overlays) {
      const letter = letters.get(o.id);
      const name = unrepeated(o);
      const text = (letter && letter !== o.label ? `${letter}: ${name}` : name) + remark(o);
      byText.set(text, [...(byText.get(text) ?? []), o]);
    }
    const labels = [...byText].map(([text, same]) => {
      const label = h("span", { class: "pnb-label" }, text);
      this.links.add(label, [...new Set(same.flatMap((o) => [o.id, ...(o.access ?? [])]))]);
      return label;
    });
    const more = labels.length - labelsShown(labels.length);
    for (const label of labels.slice(labels.length - more)) label.classList.add("pnb-further");
    const unfold = more > 0 && h("button", {
      class: "pnb-link pnb-unfold", type: "button", click: () => this.element.classList.add("pnb-open"),
    }, `and ${more} more`);
    return h("li", {}, button, ...labels, unfold);
  }
}

/** How many of the names beside a role are seen before the reader wants all of them. */
export function labelsShown(count: number): number {
  return count > MOST_LABELS + 1 ? MOST_LABELS : count;
}

/** The label without the name of the role, beside which it stands. */
function unrepeated({ role, label }: Overlay): string {
  const name = ROLES[role] ?? role;
  return label.startsWith(name) ? label.slice(name.length).replace(/^,? /, "") || label : label;
}

function remark(o: Overlay): string {
  const drawn = o.pairs?.length ?? 0;
  if (drawn + (o.instances?.length ?? 0) === 0) return " (none here)";
  const some = o.total !== undefined && o.total > drawn ? ` (${drawn} of ${o.total} drawn)` : "";
  return o.exact === false ? `${some} (perhaps not all of them are dependences)` : some;
}

export function toggle(text: string, title: string, act: () => void): HTMLButtonElement {
  return h("button", { class: "pnb-button pnb-toggle", type: "button", title, click: act }, text);
}

export function press(button: HTMLButtonElement, pressed: boolean): void {
  button.setAttribute("aria-pressed", String(pressed));
}

/** The role as it looks in the space. */
function looks(role: Role): SVGSVGElement {
  const arrow = ARROWS.has(role) || TIES.has(role);
  return swatch(svg(
    "g", { class: `pnb-overlay pnb-${role}` },
    arrow && svg("path", { class: "pnb-line", d: curveLine(ARROW, role) }),
    ARROWS.has(role) && svg("path", { class: "pnb-head", d: curveHead(ARROW, role) }),
    !ARROWS.has(role) && svg("circle", { class: "pnb-dot", cx: 12, cy: 9, r: 2.2 }),
    !ARROWS.has(role) && svg("path", { class: "pnb-shape", d: shape(role, ARROW.control, 3) }),
  ));
}
