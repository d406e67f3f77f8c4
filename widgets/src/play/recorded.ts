// A playground in a page: what was recorded of it is shown without Python, moves of one line and
// their repairs. Of others Python is asked, where the page can have it.
import type { AnyModel } from "../model";
import type { Action, Look } from "./port";
import type { Offer, Shown } from "./shown";

/** What is shown after some moves: the offers by handles, and the verdicts on these. */
export interface State {
  shown: Omit<Shown, "number" | "offers" | "undo" | "redo">;
  offers: Record<string, Offer[]>;
  looked: Record<string, Look>;
}

export interface Recording {
  /** The program, in Python. */
  program: string;
  /** By the lines of the moves. */
  states: Record<string, State>;
}

export interface Python {
  /** Is called as soon as somebody plays. */
  start(): void;
  /** The model of a playground in which these moves are made. */
  playground(program: string, moves: readonly string[]): Promise<AnyModel>;
}

interface Asked { number: number; action: Action; line: string }

const COMING = "Python is being loaded: it judges all other moves.";
const NONE = "Only what is recorded is answered on this page; in JupyterLab, %play answers everything.";
const UNJUDGED: Look = { sign: "", said: "Its verdict is there when it is made." };

export class RecordedModel implements AnyModel {
  /** Moves that were made one after the other: each of these is one longer, or has another last one. */
  private chains: string[][] = [[]];
  private at = 0;
  private picked: string;
  private asked: Asked = { number: 0, action: "pick", line: "" };
  private refused = "";
  private looked: object = {};
  private live: AnyModel | null = null;
  isComing = false;
  private readonly listeners = new Map<string, Set<() => void>>();

  constructor(private readonly recording: Recording, private readonly python: Python | null) {
    this.picked = recording.states[""]!.shown.picked;
  }

  get(name: string): unknown {
    if (this.live) return this.live.get(name);
    return name === "shown" ? this.shown() : name === "looked" ? this.looked : this.asked;
  }

  set(name: string, value: unknown): void {
    if (this.live) this.live.set(name, value);
    else if (name === "asked") this.asked = value as Asked;
  }

  save_changes(): void {
    if (this.live) this.live.save_changes();
    else if (!this.isComing) queueMicrotask(() => this.answer(this.asked)); // not while it is asked
  }

  on(event: string, listener: () => void): void {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(listener));
  }

  off(event: string, listener: () => void): void {
    this.listeners.get(event)?.delete(listener);
  }

  private get moves(): readonly string[] {
    return this.chains[this.at]!;
  }

  private state(moves = this.moves): State | undefined {
    return this.recording.states[moves.join("\n")];
  }

  private shown(): Shown {
    const { shown, offers } = this.state()!;
    const number = this.asked.number - (this.isComing ? 1 : 0); // not answered yet
    const picked = this.picked in offers ? this.picked : shown.picked;
    const [undo, redo] = [this.at > 0, this.at + 1 < this.chains.length];
    return { ...shown, number, picked, offers: offers[picked] ?? [], undo, redo, refused: this.refused };
  }

  private answer(asked: Asked): void {
    const { number, action, line } = asked;
    if (action === "look") { // also while somebody reads what was refused
      const verdicts = { [line]: UNJUDGED, ...this.state()!.looked };
      this.looked = { number, cell: this.state()!.shown.cell, verdicts };
      return this.tell("looked");
    }
    this.refused = "";
    if (action === "pick") this.picked = line;
    else if (action === "undo") this.at = Math.max(this.at - 1, 0);
    else if (action === "redo") this.at = Math.min(this.at + 1, this.chains.length - 1);
    else if (action === "reset") this.at = 0;
    else {
      this.python?.start();
      if (!this.made(action, line)) return void this.other();
    }
    this.tell("shown");
  }

  /** Whether what comes of it is recorded. */
  private made(action: Action, line: string): boolean {
    const { moves } = this;
    const isUndone = action !== "do" || !this.state()!.shown.legal;
    const base = isUndone ? moves.slice(0, -1) : moves;
    const added = [[...base, line]];
    if (action === "first") added.push([...base, line, ...moves.slice(-1)]);
    if (!added.every((chain) => this.state(chain))) return false;
    this.chains = [...this.chains.slice(0, this.at + (isUndone ? 0 : 1)), ...added];
    this.at = this.chains.length - 1;
    return true;
  }

  /** Asks Python, from now on. What is asked meanwhile waits. */
  private async other(): Promise<void> {
    const { python, moves, picked } = this;
    if (!python) return this.refuse(NONE);
    this.isComing = true;
    this.refused = COMING;
    this.tell("shown");
    try {
      const live = await python.playground(this.recording.program, moves);
      for (const name of ["shown", "looked"]) live.on(`change:${name}`, () => this.tell(name));
      this.live = live;
      this.isComing = false;
      for (const asked of [{ number: 0, action: "pick", line: picked }, this.asked]) {
        live.set("asked", asked);
        live.save_changes();
      }
    } catch (error) {
      this.refuse(String((error as Error).message ?? error));
    }
  }

  private refuse(why: string): void {
    this.isComing = false;
    this.refused = why;
    this.tell("shown");
  }

  private tell(name: string): void {
    for (const listener of this.listeners.get(`change:${name}`) ?? []) listener();
  }
}
