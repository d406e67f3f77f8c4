// What of the space is switched on and off.
import type { Model } from "./model";
import type { Overlay, Role, Scene, Step } from "./trace";

/** So many arrows can still be told apart: between rows, and between or in planes. */
const [IN_ROWS, IN_PLANES] = [150, 60];

export class Display {
  /** Whether the order is shown: null, where it is if a step is about it. */
  private order: boolean | null = null;
  /** Whether all dependences are drawn: null, where a step shows nothing and they are few. */
  private relations: boolean | null = null;

  constructor(private readonly model: Model, private readonly changed: () => void) {}

  get hidden(): readonly string[] {
    return this.model.get("hidden");
  }

  showsRelations(scene: Scene, overlays: readonly Overlay[]): boolean {
    return this.relations ?? (overlays.length === 0 && isLegible(scene));
  }

  toggleRelations(shown: boolean): void {
    this.relations = !shown;
    this.changed();
  }

  showsOrder(step: Step | null): boolean {
    return this.order ?? step?.order === true;
  }

  toggleOrder(shown: boolean): void {
    this.order = !shown;
    this.changed();
  }

  toggleRole(role: Role): void {
    const others = this.hidden.filter((r) => r !== role);
    this.model.set("hidden", others.length < this.hidden.length ? others : [...others, role]);
  }
}

function isLegible({ spaces, relations }: Scene): boolean {
  const arrows = relations.reduce((sum, r) => sum + (r.pairs?.length ?? 0), 0);
  return arrows <= (spaces.every((s) => s.dims.length <= 1) ? IN_ROWS : IN_PLANES);
}
