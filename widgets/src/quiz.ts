// What a learner is being asked, and the answer while it is being made.
import type { Instance } from "./trace";

/** What was said to an answer, until another step is shown. */
export interface Told {
  step: number;
  right: boolean;
  answer: string;
  /** All instances that prove a no. */
  proof: string;
  explain: string;
}

export class Quiz {
  asking: number | null = null;
  told: Told | null = null;
  picked: ReadonlySet<number> = new Set();
  saysNo = false;
  proof: Instance | null = null;

  constructor(private readonly changed: () => void) {}

  reset(asking: number | null = null): void {
    this.asking = asking;
    this.told = null;
    this.picked = new Set();
    this.saysNo = false;
    this.proof = null;
  }

  pickPair(k: number): void {
    const picked = new Set(this.picked);
    if (!picked.delete(k)) picked.add(k);
    this.picked = picked;
    this.changed();
  }

  /** A no must be proved before it is an answer. */
  sayNo(): void {
    this.saysNo = true;
    this.changed();
  }

  pickProof(instance: Instance | null): void {
    this.proof = instance;
    this.changed();
  }
}
