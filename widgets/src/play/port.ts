// The line to Python: one message at a time, and the newest of those that wait for it.
import type { AnyModel } from "../model";
import type { Shown } from "./shown";

export type Action = "do" | "replace" | "first" | "undo" | "redo" | "reset" | "pick";

const PATIENCE = 12_000; // ms: Python gives up earlier, so that nobody is there

export class Port {
  /** Why there is no answer, or "". */
  problem = "";
  private number = 0;
  private sent = 0; // the number that is waited for; 0: none
  private next: (() => void) | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly heard = (): void => this.arrived();

  constructor(private readonly model: AnyModel, private readonly changed: () => void) {
    this.number = this.shown?.number ?? 0;
    model.on("change:shown", this.heard);
  }

  get shown(): Shown | null {
    const found = this.model.get("shown") as Partial<Shown> | null;
    return found?.code ? (found as Shown) : null;
  }

  get isBusy(): boolean {
    return this.sent !== 0;
  }

  /** Asks for something. What is asked meanwhile takes the place of what waits. */
  ask(action: Action, line = ""): void {
    this.whenIdle(() => this.send(action, line));
  }

  /** Calls back at once, or when the answer is there that is waited for. */
  whenIdle(act: () => void): void {
    if (this.isBusy) this.next = act;
    else act();
  }

  close(): void {
    clearTimeout(this.timer);
    this.model.off("change:shown", this.heard);
  }

  private send(action: Action, line: string): void {
    this.number += 1;
    this.sent = this.number;
    this.timer = setTimeout(() => this.giveUp(), PATIENCE);
    this.model.set("asked", { number: this.number, action, line });
    try {
      this.model.save_changes();
    } catch {
      this.giveUp();
    }
    this.changed();
  }

  private arrived(): void {
    if (this.isBusy && (this.shown?.number ?? 0) >= this.sent) {
      clearTimeout(this.timer);
      this.sent = 0;
      this.problem = "";
    }
    this.changed();
    if (this.isBusy) return;
    const { next } = this;
    this.next = null;
    next?.();
  }

  private giveUp(): void {
    clearTimeout(this.timer);
    this.sent = 0;
    this.next = null;
    this.problem = "No answer: moves need the kernel that ran this cell. Run it again.";
    this.changed();
  }
}
