// What a scene looks like in every step: axes, instances and, on demand, dependences and order.
// Drawn once for a scene and width; stepping only switches parts of it on and off.
import { svg } from "./dom";
import type { Layout } from "./layout";
import type { LinkGroup } from "./links";
import { compareDates, instanceId } from "./names";
import { drawOverlay } from "./overlay";
import type { Spot } from "./spots";
import type { Instance, Scene } from "./trace";

/** Above this, numbers would hide the instances: a line leads through them instead, if it can. */
const NUMBERED = 80;

export class SceneLayer {
  readonly back = svg("g");
  readonly dots = svg("g", { class: "pnb-dots" });
  readonly items: SVGCircleElement[] = [];
  private readonly instances = new Map<Element, Instance>();
  private relations: SVGGElement[] | null = null;
  private order: SVGGElement | null = null;

  constructor(readonly scene: Scene, readonly layout: Layout, private readonly links: LinkGroup) {
    links.clear();
    this.back.append(
      ...layout.rules.map(([a, b]) => svg("line", { class: "pnb-rule", x1: a.x, y1: a.y, x2: b.x, y2: b.y })),
      ...layout.texts.map((t) => this.text(t)),
    );
    scene.spaces.forEach((_, space) => this.dots.append(this.space(space)));
  }

  instanceOf(element: Element | null): Instance | null {
    return (element && this.instances.get(element)) ?? null;
  }

  showRelations(shown: boolean, without: ReadonlySet<string>, hidden: readonly string[]): void {
    if (shown && !this.relations) this.relations = this.scene.relations.map((r) => this.relation(r));
    this.relations?.forEach((g, k) => {
      const { id, role } = this.scene.relations[k]!;
      g.classList.toggle("pnb-off", !shown || without.has(id) || hidden.includes(role));
    });
  }

  showOrder(shown: boolean): void {
    if (shown && !this.order) {
      this.order = this.ordered();
      this.back.append(this.order);
    }
    this.order?.classList.toggle("pnb-off", !shown);
  }

  private text({ x, y, text, look, anchor, space }: Layout["texts"][number]): SVGTextElement {
    const element = svg("text", { class: `pnb-text-${look}`, x, y, "text-anchor": anchor }, text);
    const id = space === undefined ? undefined : this.scene.spaces[space]?.id;
    if (id) this.links.add(element, [id]);
    return element;
  }

  private space(space: number): SVGGElement {
    const group = svg("g");
    this.links.add(group, [this.scene.spaces[space]!.id], false);
    this.layout.spots[space]?.forEach(({ x, y }, point) => {
      const dot = svg("circle", { class: "pnb-dot", cx: x, cy: y, r: this.layout.radius, "data-item": true });
      this.instances.set(dot, [space, point]);
      this.links.add(dot, [instanceId(this.scene, [space, point])]);
      this.items.push(dot);
      group.append(dot);
    });
    return group;
  }

  private relation(overlay: Scene["relations"][number]): SVGGElement {
    const g = drawOverlay(overlay, this.layout, null);
    this.links.add(g, [overlay.id, ...(overlay.access ?? [])]);
    this.back.append(g);
    return g;
  }

  private ordered(): SVGGElement {
    const all = this.scene.spaces.flatMap((s, space) =>
      s.dates.flatMap((date, point) => {
        const spot = this.layout.spots[space]?.[point];
        return spot ? { date, spot } : [];
      }));
    all.sort((a, b) => compareDates(a.date, b.date));
    const group = svg("g", { class: "pnb-order" });
    // Instances of one time have no order among them that a line could lead through.
    const ties = all.some(({ date }, k) => k > 0 && compareDates(all[k - 1]!.date, date) === 0);
    if (all.length > NUMBERED && !ties) {
      const d = all.map(({ spot }) => `${spot.x} ${spot.y}`).join("L");
      group.append(svg("path", { class: "pnb-line", d: `M${d}` }));
      return group;
    }
    let number = 0;
    all.forEach(({ date, spot }, k) => {
      const before = all[k - 1];
      if (!before || compareDates(before.date, date) !== 0) number += 1;
      const place = this.beside(spot);
      const anchor = this.layout.flat ? "middle" : "start";
      group.append(svg("text", { class: "pnb-number", "text-anchor": anchor, ...place }, String(number)));
    });
    return group;
  }

  /** In rows there is room below every shape; in planes, only at the corner of a dot. */
  private beside({ x, y }: Spot): Spot {
    const { flat, radius } = this.layout;
    return flat ? { x, y: y + 3 * radius + 10 } : { x: x + radius + 1, y: y + radius + 9 };
  }
}
