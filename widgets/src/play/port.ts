// The line to Python: one message at a time; the others wait.
import type { AnyModel } from "../model";
import type { Shown } from "./shown";

export type Action = "do" | "replace" | "first" | "undo" | "redo" | "reset" | "pick" | "look";

/** The verdict on a move that is not made: its sign, ✓, ✗, or ? where it cannot be made. */
export interface Look { sign: string; said: string }

/** Verdicts on moves after those of a cell, by their lines; the number is that of the message. */
interface Looked { number: number; cell: string; verdicts: Record<string, Look> }

const PATIENCE = 30_000; // ms: Python gives up earlier, so that nobody is there

export class Port {
  /** Why there is no answer, or "". */
  problem = "";
  /** Whether the last that was asked was answered. */
  isHeard = true;
  private number = 0;
  private sent = 0; // the number that is waited for; 0: none
  private action: Action = "pick"; // what that asks for
  private waiting: { act: () => void; kind: string }[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly heard = (): void => this.arrived();

  constructor(private readonly model: AnyModel, private readonly changed: () => void) {
    this.number = this.shown?.number ?? 0;
    model.on("change:shown", this.heard);
    model.on("change:looked", this.heard);
  }

  get shown(): Shown | null {
    const found = this.model.get("shown") as Partial<Shown> | null;
    return found?.code ? (found as Shown) : null;
  }

  /** The verdicts on moves that are not made, by their lines. */
  get looked(): Readonly<Record<string, Look>> {
    const found = this.model.get("looked") as Partial<Looked> | null;
    return found?.verdicts && found.cell === this.shown?.cell ? found.verdicts : {};
  }

  /** Whether a person waits: not for a verdict on what was only looked at. */
  get isBusy(): boolean {
    return this.sent !== 0 && this.action !== "look";
  }

  /** Whether nothing is waited for, and nothing waits. */
  get isIdle(): boolean {
    return this.sent === 0 && this.waiting.length === 0;
  }

  ask(action: Action, line = ""): void {
    this.whenIdle(() => this.send(action, line), action);
  }

  /** Calls back at once, or when the answers are there to what was asked before. Of picks that wait,
   * and of sliders' numbers, the last one counts. */
  whenIdle(act: () => void, kind = ""): void {
    if (this.sent === 0) return act();
    const last = this.waiting[this.waiting.length - 1];
    if (last?.kind === kind && (kind === "pick" || kind === "replace")) last.act = act;
    else this.waiting.push({ act, kind });
  }

  close(): void {
    clearTimeout(this.timer);
    this.model.off("change:shown", this.heard);
    this.model.off("change:looked", this.heard);
  }

  private send(action: Action, line: string): void {
    this.number += 1;
    this.sent = this.number;
    this.action = action;
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
    this.problem = "";
    this.isHeard = true;
    const looked = this.model.get("looked") as Partial<Looked> | null;
    if (this.sent !== 0 && Math.max(this.shown?.number ?? 0, looked?.number ?? 0) >= this.sent) {
      clearTimeout(this.timer);
      this.sent = 0;
    }
    this.changed();
    while (this.sent === 0 && this.waiting.length > 0) this.waiting.shift()!.act();
  }

  private giveUp(): void {
    clearTimeout(this.timer);
    if (this.model.isComing) {
      this.timer = setTimeout(() => this.giveUp(), PATIENCE);
      return;
    }
    this.sent = 0;
    this.isHeard = false;
    if (this.action !== "look" || this.waiting.length > 0) {
      this.problem = "No answer: moves need the kernel that ran this cell. Run it again.";
    }
    this.waiting = [];
    this.changed();
  }
}
