// From polynb/show/trace/trace.schema.json, by `npm run types`: change that, not this.

/**
 * What became of an array.
 */
export type Outcome =
  "removed" | "kept" | "kept in part" | "propagated" | "reordered" | "unchanged";
/**
 * [text] or [text, ids]: ids are separated by blanks, from the outermost to the innermost of what the segment is part of (s:T a statement, a:T:0 its first read, a:T:w its write).
 *
 * @minItems 1
 * @maxItems 2
 */
export type Segment = [string] | [string, string];
/**
 * What an overlay shows. Every role has a shape or a dash of its own, not only a colour.
 */
export type Role =
  | "raw"
  | "war"
  | "waw"
  | "propagation"
  | "piw"
  | "or"
  | "piece"
  | "source"
  | "target"
  | "writer"
  | "removed"
  | "condition"
  | "conditioned"
  | "violated";
/**
 * [space, point], indices in the step's scene.
 *
 * @minItems 2
 * @maxItems 2
 */
export type Instance = [number, number];
/**
 * [space, point, space, point]: from, to.
 *
 * @minItems 4
 * @maxItems 4
 */
export type Pair = [number, number, number, number];
/**
 * [cell, zone] or [cell, time], indices in the step's memory.
 *
 * @minItems 2
 * @maxItems 2
 */
export type Place = [number, number];
/**
 * What a learner is asked before the step is shown.
 */
export type Question = ArrayQuestion | PairsQuestion | VerdictQuestion | IteratorQuestion;

/**
 * A polynb trace, version 1: everything the stepper needs to play a derivation, without a kernel. Each step is a whole frame: drawing step k needs nothing of the steps before it, so stepping back is as easy as stepping forward. Steps refer to programs, scenes and sets by their index.
 */
export interface Trace {
  format: "polynb-trace";
  version: 1;
  /**
   * A hash of the content, for ids on the page.
   */
  id: string;
  title: string;
  /**
   * What came out of it, in a sentence: shown with the arrays in the first frame.
   */
  verdict: string;
  arrays: ArrayOutcome[];
  /**
   * The values the instances are shown for, and the range a slider may offer.
   */
  parameters: Parameter[];
  programs: Program[];
  code?: Program1;
  /**
   * Iteration spaces at the parameters' values: one scene for each program that steps are about.
   */
  scenes: Scene[];
  sets: NamedSet[];
  phases: Phase[];
  /**
   * @minItems 1
   */
  steps: [Step, ...Step[]];
}
/**
 * What became of an array, and why.
 */
export interface ArrayOutcome {
  name: string;
  outcome: Outcome;
  reason: string;
  /**
   * The step that decided it.
   */
  step: number;
}
export interface Parameter {
  name: string;
  value: number;
  low: number;
  high: number;
}
export interface Program {
  title: string;
  /**
   * Each line is a list of segments.
   */
  lines: Segment[][];
}
/**
 * The C of what came out.
 */
export interface Program1 {
  title: string;
  /**
   * Each line is a list of segments.
   */
  lines: Segment[][];
}
export interface Scene {
  spaces: Space[];
  /**
   * The dependences of the program, to be switched on and off.
   */
  relations: Overlay[];
  /**
   * What is drawn and what is left out, in sentences.
   */
  notes: string[];
  /**
   * Where all dependences would be too many arrows to tell apart: the instances whose arrows are drawn first.
   */
  focus?: Instance[];
}
export interface Space {
  /**
   * s:NAME, as in the program.
   */
  id: string;
  name: string;
  dims: string[];
  /**
   * The instances, in lexicographic order; a statement without loops has the one point [].
   */
  points: number[][];
  /**
   * When each instance is executed: its date in the schedule, as a vector.
   */
  dates: number[][];
  /**
   * For each dimension the stretches [low, high] of values of which no instance is shown, so that the gap can be drawn as one.
   */
  elided: [number, number][][];
}
export interface Overlay {
  /**
   * Equal ids are the same thing, wherever they stand: a set's, an access's.
   */
  id: string;
  role: Role;
  label: string;
  /**
   * Ids of the accesses (or statements) it is about.
   */
  access?: string[];
  instances?: Instance[];
  pairs?: Pair[];
  /**
   * How many pairs there are, if only some of them are given.
   */
  total?: number;
  /**
   * False: some of these are no dependences (a subscript depends on data).
   */
  exact?: boolean;
}
export interface NamedSet {
  id: string;
  /**
   * What the paper calls it.
   */
  name: string;
  /**
   * In readable notation.
   */
  text: string;
  /**
   * isl's text of it, to be copied.
   */
  isl: string;
}
export interface Phase {
  name: string;
  first: number;
  outcome?: string;
}
export interface Step {
  kind: string;
  phase: number;
  /**
   * One plain sentence, or two.
   */
  sentence: string;
  /**
   * More of it, for those who want it.
   */
  detail?: string;
  /**
   * Where the paper has it: CC'18, section 3.2.
   */
  section: string;
  program: number;
  /**
   * A second program beside it: what it becomes.
   */
  other?: number;
  change?: Change;
  scene: number | null;
  /**
   * Ids of what the step is about, marked in the program.
   */
  marks?: string[];
  /**
   * Ids of what is marked in the second program, where names mean something else there.
   */
  otherMarks?: string[];
  overlays?: Overlay[];
  /**
   * Where the overlays have too many arrows to tell apart: the instances whose arrows are drawn first.
   */
  focus?: Instance[];
  sets?: number[];
  tables?: Table[];
  /**
   * True: the step is about the order of the instances, which is shown with it.
   */
  order?: boolean;
  memory?: Memory;
  witness?: Witness;
  question?: Question;
}
/**
 * What changes from the program to the other.
 */
export interface Change {
  /**
   * Lines of the first.
   */
  removed: number[];
  /**
   * Lines of what it becomes.
   */
  added: number[];
}
/**
 * More than a sentence holds, such as the rows of an integer program and where they come from.
 */
export interface Table {
  title: string;
  columns: string[];
  rows: string[][];
}
/**
 * Cells of memory against time, at the parameters' values: what is known of an array, and what is proposed for it. Shown instead of the scene.
 */
export interface Memory {
  array: string;
  /**
   * The rows, C[0], C[1], ...
   */
  cells: string[];
  /**
   * The instances that touch the array or the candidate, in the order of execution. Zone k is what lies between times[k-1] and times[k]: zone 0 comes before the first, the last zone after all.
   */
  times: string[];
  layers: MemoryLayer[];
  /**
   * The scalar whose lifetime the proposed layers are.
   */
  candidate?: string;
  conflict?: MemoryConflict;
  /**
   * The scalars that are still to be tried, the next one first.
   */
  queue?: string[];
}
export interface MemoryLayer {
  /**
   * The knowledge of the program as it is, or that of the candidate if it were mapped.
   */
  of: "existing" | "proposed";
  role: "occupied" | "unused" | "known" | "written";
  label: string;
  /**
   * Of what is written [cell, time], of all else [cell, zone].
   */
  places: Place[];
  /**
   * For each place the short name of what is known or written there: S(0, 1), 0, ?
   */
  values?: string[];
}
export interface MemoryConflict {
  place: Place;
  /**
   * What the second index of the place counts.
   */
  at: "zone" | "time";
  rule: "lifetime" | "existing write" | "proposed write" | "both write";
  sentence: string;
}
export interface Witness {
  instances: WitnessInstance[];
  /**
   * "" where it is not known.
   */
  cell: string;
  sentence: string;
  /**
   * False: an example that is in nobody's way.
   */
  blocks?: boolean;
}
export interface WitnessInstance {
  at: Instance;
  role: "source" | "writer" | "target";
  name: string;
  date: number[];
}
export interface ArrayQuestion {
  kind: "array";
  prompt: string;
  /**
   * Shown with the answer.
   */
  explain: string;
  options: string[];
  answer: string;
}
export interface PairsQuestion {
  kind: "pairs";
  prompt: string;
  /**
   * Shown with the answer.
   */
  explain: string;
  pairs: Pair[];
  /**
   * Indices of the pairs that survive.
   */
  answer: number[];
}
export interface VerdictQuestion {
  kind: "verdict";
  prompt: string;
  /**
   * Shown with the answer.
   */
  explain: string;
  answer: boolean;
  /**
   * If the answer is no: the instances that prove it, of which one is to be picked.
   */
  witnesses?: Instance[];
}
export interface IteratorQuestion {
  kind: "iterator";
  prompt: string;
  /**
   * Shown with the answer.
   */
  explain: string;
  name: string;
  answer: string;
  samples: Sample[];
}
/**
 * What the right expression gives for some values of the target's iterators and the parameters.
 */
export interface Sample {
  values: {
    [k: string]: number;
  };
  result: number;
}
