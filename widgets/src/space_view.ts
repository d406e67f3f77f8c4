// The iteration spaces: the scene of the step, and over it what the step shows of it.
import { drawChoices } from "./choices";
import { h, setText, sized, svg } from "./dom";
import { sightOf, thinned, type Sight } from "./focus";
import type { FreePlaces } from "./labels";
import { fitted, notesOf, type Layout } from "./layout";
import type { LinkGroup, Links } from "./links";
import { described, instanceName } from "./names";
import { drawOverlay, lettersOf } from "./overlay";
import type { Player } from "./player";
import { Rover } from "./rover";
import { SceneLayer } from "./scene_layer";
import type { Instance, Overlay, Scene } from "./trace";
import { drawWitness } from "./witness_layer";

export class SpaceView {
  private readonly here = h("p", { class: "pnb-here", "aria-hidden": "true" });
  private readonly notes = h("p", { class: "pnb-notes" });
  private readonly picture = svg("svg", { class: "pnb-svg", role: "group", "aria-label": "Iteration spaces" });
  private readonly frame = h("div", { class: "pnb-scroll" }, this.picture);
  readonly element = h(
    "section", { class: "pnb-space", "aria-label": "Iteration spaces" }, this.frame, this.here, this.notes,
  );
  private readonly overlays = svg("g", { class: "pnb-drawn" });
  private readonly touched = svg("g", { class: "pnb-touched" });
  private readonly statics: LinkGroup;
  private readonly dynamics: LinkGroup;
  private readonly between: LinkGroup;
  private readonly rover: Rover;
  private layer: SceneLayer | null = null;
  private key = "";
  private sight: Sight | null = null;
  private pointed: Instance | null = null;
  private lit: readonly string[] = [];

  constructor(private readonly player: Player, links: Links) {
    this.statics = links.group();
    this.dynamics = links.group();
    this.between = links.group();
    links.onLight((ids) => this.light(ids));
    this.rover = new Rover(this.element, () => this.layer?.items ?? [], (item) => this.nameOf(item));
    this.picture.addEventListener("click", (event) => this.click(event));
  }

  /** `box`: how high it is, which is known once it is on screen. */
  update(width: number, box: number): void {
    const { player } = this;
    const scene = player.memory ? null : player.scene;
    this.element.hidden = !scene;
    if (!scene) return;
    this.sight = sightOf(player);
    this.arrange(scene, width, box);
    const layer = this.layer!;
    const hidden = player.display.hidden;
    const isShown = (o: Overlay): boolean => !hidden.includes(o.role);
    layer.showRelations(this.sight.relations.filter(isShown));
    layer.showOrder(player.showsOrder);
    this.drawStep(layer, this.sight.overlays.filter(isShown));
    this.light(this.lit); // the same, of another step
  }

  private arrange(scene: Scene, width: number, box: number): void {
    const about = this.about();
    const key = `${width} ${box} ${[...about].join()}`;
    const old = this.layer?.scene === scene ? this.layer.layout : null;
    if (old && key === this.key) return;
    this.key = key;
    const layout = fitted(scene, width, box, about);
    const sizeOf = (l: Layout): string => `${l.width} ${l.height} ${l.scale} ${l.some?.join()}`;
    if (old && sizeOf(old) === sizeOf(layout)) return; // as where the box became higher than it need be
    this.layer = new SceneLayer(scene, layout, this.statics, this.between);
    const { back, dots } = this.layer;
    sized(this.picture, layout.width, 0, layout.height, layout.scale);
    this.picture.replaceChildren(back, dots, this.overlays, this.touched);
    setText(this.notes, notesOf(scene, (layout.some ?? scene.spaces).length).join(" "));
    this.rover.enter();
  }

  /** The spaces that a step is about; none where any of them may be meant. */
  private about(): ReadonlySet<number> {
    const { player } = this;
    if (player.asking !== null || player.showsOrder || player.showsRelations) return new Set();
    const pairs = player.overlays.flatMap((o) => o.pairs ?? []);
    const instances = [...player.overlays.flatMap((o) => o.instances ?? []), ...(player.shown?.witness?.instances ?? []).map((i) => i.at)];
    return new Set([...pairs.flatMap(([a, , b]) => [a, b]), ...instances.map(([space]) => space)].sort((a, b) => a - b));
  }

  private drawStep({ scene, layout, room }: SceneLayer, drawn: readonly Overlay[]): void {
    const { player } = this;
    const letters = lettersOf(player.overlays);
    let own: FreePlaces | null = null;
    this.dynamics.clear();
    const parts = drawn.map((overlay) => {
      const text = letters.get(overlay.id);
      const g = drawOverlay(overlay, layout, text === undefined ? null : { text, room: (own ??= room.copy()) });
      this.dynamics.add(g, [overlay.id, ...(overlay.access ?? [])]);
      return g;
    });
    const witness = player.asking === null ? player.shown?.witness : undefined;
    if (witness) parts.push(drawWitness(witness, scene, layout, own ?? room, this.dynamics, !player.showsOrder));
    if (player.question?.kind === "pairs") parts.push(drawChoices(player.question.pairs, layout, player));
    if (player.quiz.proof) parts.push(svg("g", { class: "pnb-proof" }, this.circle(player.quiz.proof, 3)));
    for (const at of this.sight?.of ?? []) parts.push(svg("g", { class: "pnb-chosen" }, this.circle(at, 1.6)));
    this.overlays.replaceChildren(...parts);
    this.picture.classList.toggle("pnb-picking", player.picksInstance);
  }

  private circle([space, point]: Instance, size: number): SVGCircleElement | null {
    const spot = this.layer?.layout.spots[space]?.[point];
    return spot ? svg("circle", { cx: spot.x, cy: spot.y, r: size * this.layer!.layout.radius }) : null;
  }

  /** A click on an instance proves a no, while that is asked; otherwise it pins (see links.ts). */
  private click(event: Event): void {
    const instance = this.layer?.instanceOf(event.target as Element);
    if (!instance || !this.player.picksInstance) return;
    event.stopPropagation();
    this.player.quiz.pickProof(instance);
  }

  private nameOf(item: Element): string {
    const instance = this.layer?.instanceOf(item);
    return instance && this.layer ? described(this.layer.scene, instance) : "";
  }

  /** Of an instance that is pointed at, also its date and all its dependences; others pale. */
  private light(ids: readonly string[]): void {
    const { layer } = this;
    this.lit = ids;
    const id = ids.length === 1 && ids[0]!.startsWith("i:") ? ids[0]! : null;
    const dot = id === null ? undefined : this.statics.elements.get(id)?.[0];
    const instance = layer?.instanceOf(dot ?? null) ?? null;
    this.pointed = instance;
    this.say();
    const touching = layer && instance && this.player.asking === null
      ? this.touching(layer, instance) : [];
    this.touched.replaceChildren(...touching);
    this.picture.classList.toggle("pnb-pointed", touching.length > 0);
  }

  private touching({ scene, layout }: SceneLayer, at: Instance): SVGGElement[] {
    const { overlays, display } = this.player;
    return [...scene.relations, ...overlays].flatMap((overlay) => {
      const pairs = display.hidden.includes(overlay.role) ? [] : thinned(overlay, [at]).pairs;
      return pairs?.length ? [drawOverlay({ ...overlay, instances: [], pairs }, layout)] : [];
    });
  }

  /** Below the picture: what is pointed at, or whose arrows there are. */
  private say(): void {
    const scene = this.layer?.scene;
    const of = this.sight?.of ?? [];
    const whose = of.length > 3 ? `${of.length} instances` : of.map((at) => scene && instanceName(scene, at)).join(", ");
    const said = of.length ? `Arrows of ${whose}; point at another instance for its own.` : "";
    setText(this.here, scene && this.pointed ? described(scene, this.pointed) : said);
  }
}
