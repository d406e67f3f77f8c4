// The trace, as polynb/show/trace/trace.schema.json describes it.

/** [space, point]: indices in the step's scene. */
export type Instance = readonly [number, number];
/** [space, point, space, point]: from, to. */
export type Pair = readonly [number, number, number, number];

export type Role =
  | "raw" | "war" | "waw" | "propagation" | "piw" | "or" | "piece" | "source" | "target"
  | "writer" | "removed" | "occupied" | "unused" | "known" | "written" | "condition"
  | "conditioned" | "violated";

export interface Overlay {
  id: string;
  role: Role;
  label: string;
  access?: string[];
  instances?: Instance[];
  pairs?: Pair[];
  total?: number;
  exact?: boolean;
}

export interface Space {
  id: string;
  name: string;
  dims: string[];
  points: number[][];
  dates: number[][];
  elided: [number, number][][];
}

export interface Scene {
  spaces: Space[];
  relations: Overlay[];
  notes: string[];
}

export type Segment = [string] | [string, string];

export interface Program {
  title: string;
  lines: Segment[][];
}

export interface NamedSet {
  id: string;
  name: string;
  text: string;
  isl: string;
}

export interface Witness {
  instances: { at: Instance; role: "source" | "writer" | "target"; name: string; date: number[] }[];
  cell: string;
  sentence: string;
  blocks?: boolean;
}

/** More of a step than a sentence holds; unfolded at first if it is `open`. */
export interface Table {
  title: string;
  columns: string[];
  rows: string[][];
  open?: boolean;
}

interface Asked {
  prompt: string;
  explain: string;
}
export interface ArrayQuestion extends Asked {
  kind: "array";
  options: string[];
  answer: string;
}
export interface PairsQuestion extends Asked {
  kind: "pairs";
  pairs: Pair[];
  answer: number[];
}
export interface VerdictQuestion extends Asked {
  kind: "verdict";
  answer: boolean;
  witnesses?: Instance[];
}
export interface IteratorQuestion extends Asked {
  kind: "iterator";
  name: string;
  answer: string;
  samples: { values: Record<string, number>; result: number }[];
}
export type Question = ArrayQuestion | PairsQuestion | VerdictQuestion | IteratorQuestion;

export interface Step {
  kind: string;
  phase: number;
  sentence: string;
  detail?: string;
  section: string;
  program: number;
  other?: number;
  scene: number | null;
  marks?: string[];
  overlays?: Overlay[];
  sets?: number[];
  tables?: Table[];
  /** The order of the instances is what the step is about: shown, until it is switched off. */
  order?: boolean;
  witness?: Witness;
  question?: Question;
}

export interface Phase {
  name: string;
  first: number;
  outcome?: string;
}

export interface Parameter {
  name: string;
  value: number;
  low: number;
  high: number;
}

export interface ArrayFate {
  name: string;
  fate: "removed" | "kept" | "partly" | "propagated" | "reordered" | "unchanged";
  reason: string;
  step: number;
}

export interface Trace {
  format: "polynb-trace";
  version: 1;
  id: string;
  title: string;
  verdict: string;
  arrays: ArrayFate[];
  parameters: Parameter[];
  programs: Program[];
  scenes: Scene[];
  sets: NamedSet[];
  phases: Phase[];
  steps: [Step, ...Step[]];
}
