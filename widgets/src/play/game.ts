// What is being played: what Python shows, and what is chosen here before it is asked for.
import type { Action, Look, Port } from "./port";
import type { Form, Offer, Shown } from "./shown";

export class Game {
  /** Of each move the number of its slider, and which of its forms is meant. */
  private readonly numbers = new Map<string, number>();
  private readonly forms = new Map<string, string>();
  private last: { move: string; line: string } | null = null; // with # for the number
  private wanted: string | null = null; // the handle that is picked, until Python knows it
  private meant = ""; // the move that is pointed at

  constructor(readonly port: Port, private readonly changed: () => void) {}

  get shown(): Shown | null {
    return this.port.shown;
  }

  get picked(): string {
    return this.wanted ?? this.shown?.picked ?? "";
  }

  /** Whether the offers are those of what is picked. */
  get isReady(): boolean {
    return !this.port.isBusy && this.picked === this.shown?.picked;
  }

  pick(id: string): void {
    if (id === this.picked) return;
    this.wanted = id;
    this.port.ask("pick", id);
  }

  /** After something has arrived: a handle may be gone, or known by now. */
  settle(): void {
    if (!this.port.isIdle) return;
    this.wanted = this.replacing = null;
  }

  /** The move that is pointed at, or was last; else the first that can be made. */
  get attended(): Offer | undefined {
    return this.offer(this.meant) ?? this.shown?.offers.find((o) => o.forms.length > 0);
  }

  attend(move: string): void {
    if (move === this.meant) return;
    this.meant = move;
    this.changed();
  }

  /** What is known of a move that is not made yet. */
  verdict(line: string): Look | undefined {
    return this.port.looked[line];
  }

  offer(move: string): Offer | undefined {
    return this.shown?.offers.find((o) => o.move === move);
  }

  form(offer: Offer): Form | undefined {
    const label = this.forms.get(offer.move);
    return offer.forms.find((f) => f.label === label) ?? offer.forms[0];
  }

  number(offer: Offer): number {
    return this.numbers.get(offer.move) ?? offer.number;
  }

  chooseForm(move: string, label: string): void {
    this.forms.set(move, label);
    this.changed();
  }

  /** The line of a move as it stands; null if it cannot be made. */
  line(offer: Offer): string | null {
    const form = this.form(offer);
    return form ? filled(form.line, this.number(offer)) : null;
  }

  make(move: string): void {
    this.meant = move;
    this.replacing = null;
    this.port.whenIdle(() => {
      const offer = this.offer(move);
      const form = offer && this.form(offer);
      if (!offer || !form) return;
      this.last = { move, line: form.line };
      this.port.ask("do", filled(form.line, this.number(offer)));
    });
  }

  /** Whether a slider moves what was done last. */
  isLast(move: string): boolean {
    const offer = this.offer(move);
    const done = this.shown?.steps[this.shown.steps.length - 1]?.line;
    if (!offer || !done || this.last?.move !== move) return false;
    return sameLine(filled(this.last.line, this.number(offer)), done);
  }

  /** A slider is moved: the number of the next such move; or, of the last one, another number. */
  choose(move: string, number: number): void {
    const again = this.isLast(move) || this.replacing === move;
    this.numbers.set(move, number);
    if (again && this.last) {
      const line = filled(this.last.line, number);
      this.replacing = move;
      this.port.ask("replace", line);
    }
    this.changed();
  }
  private replacing: string | null = null; // until the answer is there

  act(action: Action): void {
    this.replacing = null;
    this.port.ask(action);
  }

  /** A move before the last one, if that still makes it legal when its turn has come. */
  repair(line: string): void {
    this.port.whenIdle(() => {
      if (this.shown?.ways.some((way) => way.line === line)) this.port.ask("first", line);
    });
  }
}

export function filled(line: string, number: number): string {
  return line.replace("#", String(number));
}

/** Python prints `skew j by 1*i` as `skew j by i`. */
function sameLine(a: string, b: string): boolean {
  const plain = (line: string): string => line.replace(/\b1\*/g, "").replace(/-1\*/g, "-");
  return plain(a) === plain(b);
}
