// What of the space is switched on and off.
import { FEW } from "./focus";
import type { Model } from "./model";
import type { Overlay, Role, Scene, Step } from "./trace";

export class Display {
  /** Whether the order is shown: null, where it is if a step is about it. */
  private order: boolean | null = null;
  /** Whether all dependences are drawn: null, where a step shows nothing and they are few. */
  private relations: boolean | null = null;
  /** Whether the arrows of all instances are drawn, however many they are. */
  everything = false;

  constructor(private readonly model: Model, private readonly changed: () => void) {}

  get hidden(): readonly string[] {
    return this.model.get("hidden");
  }

  showsRelations(scene: Scene, overlays: readonly Overlay[]): boolean {
    return this.relations ?? (overlays.length === 0 && (scene.focus?.length ?? 0) <= FEW);
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

  toggleEverything(): void {
    this.everything = !this.everything;
    this.changed();
  }

  toggleRole(role: Role): void {
    const others = this.hidden.filter((r) => r !== role);
    this.model.set("hidden", others.length < this.hidden.length ? others : [...others, role]);
  }
}
