// From polynb/show/play/play.schema.json, by `npm run types`: change that, not this.

/**
 * What a playground shows. Python sends it, after each message, and once more where something takes longer.
 */
export interface Shown {
  /**
   * That of the message it answers; 0 before the first.
   */
  number: number;
  title: string;
  /**
   * The loops, as far as they are legal, or as the illegal move leaves them.
   */
  code: Line[];
  /**
   * Accesses that collide, by the ids of segments.
   */
  marks: string[];
  handles: Handle[];
  /**
   * The id of the handle that the offers are for; "" if there is none.
   */
  picked: string;
  offers: Offer[];
  steps: Played[];
  legal: boolean;
  /**
   * The verdict, with its witness.
   */
  said: string;
  /**
   * Moves that make the last one legal if they are made first.
   */
  ways: Way[];
  /**
   * Whether such moves are still being looked for.
   */
  searching: boolean;
  /**
   * Why the message was not followed; "" if it was.
   */
  refused: string;
  pictures: Drawn[];
  undo: boolean;
  redo: boolean;
  /**
   * The moves as a cell of %%transform.
   */
  cell: string;
}
export interface Line {
  /**
   * [text] or [text, "s:T a:T:0"], as in traces.
   */
  segments: string[][];
  /**
   * The id of the handle it belongs to, or "".
   */
  handle: string;
  /**
   * Whether it is part of what is illegal.
   */
  bad: boolean;
}
export interface Handle {
  id: string;
  label: string;
}
export interface Offer {
  move: string;
  /**
   * What kind of move it is.
   */
  group: string;
  about: string;
  forms: Form[];
  /**
   * Why there is no form, or "".
   */
  why: string;
  numbers: number[];
  number: number;
}
export interface Form {
  label: string;
  /**
   * The line of the move, with # where the number goes.
   */
  line: string;
}
export interface Played {
  line: string;
  legal: boolean;
  said: string;
}
export interface Way {
  line: string;
  /**
   * The memory that it takes, or "".
   */
  cost: string;
}
export interface Drawn {
  title: string;
  svg: string;
  alt: string;
}
