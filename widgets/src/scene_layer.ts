// What a scene looks like in every step: axes, instances and, on demand, dependences and order.
// Drawn once for a scene and width; stepping only switches parts of it on and off.
import { svg } from "./dom";
import { below, corners, FreePlaces } from "./labels";
import type { Layout } from "./layout";
import type { LinkGroup } from "./links";
import { compareDates, instanceId } from "./names";
import { drawOverlay } from "./overlay";
import { baseline, heightOf, SIZES, widthOf, type Spot } from "./spots";
import type { Instance, Overlay, Scene } from "./trace";

interface Dated {
  date: readonly number[];
  spot: Spot;
}

/** Above this, numbers would hide the instances: a line leads through them instead, if it can. */
const NUMBERED = 80;

export class SceneLayer {
  readonly back = svg("g");
  readonly dots = svg("g", { class: "pnb-dots" });
  readonly items: SVGCircleElement[] = [];
  private readonly instances = new Map<Element, Instance>();
  private readonly arrows = svg("g");
  private shown: readonly Overlay[] = [];
  private order: SVGGElement | null = null;
  private free: FreePlaces | null = null;

  constructor(
    readonly scene: Scene, readonly layout: Layout,
    private readonly links: LinkGroup, private readonly between: LinkGroup,
  ) {
    links.clear();
    between.clear();
    this.back.append(
      this.arrows,
      ...layout.rules.map(([a, b]) => svg("line", { class: "pnb-rule", x1: a.x, y1: a.y, x2: b.x, y2: b.y })),
      ...layout.texts.map((t) => this.text(t)),
    );
    scene.spaces.forEach((_, space) => this.dots.append(this.space(space)));
  }

  /** Where there is room for texts, numbers being where they are once they were shown. */
  get room(): FreePlaces {
    return (this.free ??= new FreePlaces(this.layout));
  }

  instanceOf(element: Element | null): Instance | null {
    return (element && this.instances.get(element)) ?? null;
  }

  showRelations(shown: readonly Overlay[]): void {
    if (shown.length === this.shown.length && shown.every((o, k) => o === this.shown[k])) return;
    this.shown = shown;
    this.between.clear();
    this.arrows.replaceChildren(...shown.map((overlay) => {
      const g = drawOverlay(overlay, this.layout);
      this.between.add(g, [overlay.id, ...(overlay.access ?? [])]);
      return g;
    }));
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

  private ordered(): SVGGElement {
    const all = this.scene.spaces.flatMap((s, space) =>
      s.dates.flatMap((date, point) => {
        const spot = this.layout.spots[space]?.[point];
        return spot ? [{ date, spot }] : [];
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
    this.numbered(all).forEach(({ number, spot }) => {
      const size = SIZES.number;
      const { flat, radius } = this.layout;
      const wide = { width: widthOf(String(number), size), height: heightOf(size) };
      const box = this.room.placed((flat ? below : corners)(spot, wide, radius + 1));
      group.append(svg("text", { class: "pnb-number", x: box.x, y: baseline(box, size) }, String(number)));
    });
    return group;
  }

  /** Times that are a number each are shown as they are; of others, which comes first, second, ... */
  private numbered(all: readonly Dated[]): { number: number; spot: Spot }[] {
    if (all.every(({ date }) => date.length === 1)) return all.map(({ date, spot }) => ({ number: date[0]!, spot }));
    let number = 0;
    return all.map(({ date, spot }, k) => {
      const before = all[k - 1];
      if (!before || compareDates(before.date, date) !== 0) number += 1;
      return { number, spot };
    });
  }
}
