// Where the instances of a scene go. Pure geometry, in pixels, y downwards.
//
// Spaces of at most one dimension are rows over one common axis, for dependences between them are
// read across. Otherwise each space has a panel with axes of its own.
import { axis, ticks } from "./axis";
import { frame, panel, plan } from "./panel";
import { clamp, radiusFor, titleOf, type Spot, type Text } from "./spots";
import type { Scene, Space } from "./trace";

export interface Layout {
  width: number;
  height: number;
  /** How large all of it is drawn: 1, or less where it is to fit. */
  scale: number;
  /** Of a dot. */
  radius: number;
  /** By space and point. */
  spots: Spot[][];
  texts: Text[];
  rules: [Spot, Spot][];
  /** Rows: arrows between them must get past the dots of others. */
  flat: boolean;
  /** The spaces that are drawn, where that is not all of them: the others have no spots. */
  some?: readonly number[];
}

const LETTER = 7.5;
const MARGIN = 26;
/** How high a scene becomes if it can be helped. */
const TALLEST = 560;
const SMALL = 14; // below this, being wider matters more than being seen at once
// From this on, fewer lines of panels matter more than being larger; instances of three dimensions
// are closer to one another.
const [ROOMY, ROOMY_3D] = [22, 33];

/** What stands under a picture: what is pointed at, and notes. */
export function under({ notes }: Scene, width: number): number {
  const pointed = Math.max(Number(width < 600), Math.ceil(504 / width) - 1);
  return 30 + 18 * (pointed + Math.ceil((6.3 * notes.join(" ").length) / width));
}

/** Notes, and what is not drawn. */
export function notesOf(scene: Scene, drawn: number): string[] {
  const left = scene.spaces.length - drawn;
  return [...scene.notes, ...(left ? [`Not drawn, for want of room: ${left} more.`] : [])];
}

/** In the smallest, letters can still be read. */
const SCALES = [1, 0.9, 0.8, 0.7];

/** To be seen whole in a box of that height: if need be with less between its instances, then smaller
 * with all that is written in it, then without the spaces that a step is not about. Where that is too
 * high still, the box is scrolled. */
export function fitted(scene: Scene, width: number, box: number, about: ReadonlySet<number> = new Set()): Layout {
  const most = box - under(scene, width);
  let found = arrange(scene, width);
  for (const scale of SCALES) {
    if (found.height * found.scale <= most) break;
    found = { ...arrange(scene, width / scale, most / scale, ROOMY_3D), scale };
  }
  const some = scene.spaces.flatMap((_, k) => (about.has(k) ? [k] : []));
  const whole = box === 0 || found.height * found.scale <= most; // 0: it is not on screen yet
  return whole || some.length === 0 || some.length === scene.spaces.length ? found : part(scene, some, width, box);
}

function part(scene: Scene, some: readonly number[], width: number, box: number): Layout {
  const spaces = some.map((k) => scene.spaces[k]!);
  const layout = fitted({ ...scene, spaces, notes: notesOf(scene, some.length) }, width, box);
  const spots = scene.spaces.map((_, k): Spot[] => layout.spots[some.indexOf(k)] ?? []);
  const texts = layout.texts.map((t) => (t.space === undefined ? t : { ...t, space: some[t.space]! }));
  return { ...layout, spots, texts, some };
}

/** How high it is at least drawn. */
export function lowest(scene: Scene, width: number): number {
  return 0.9 * arrange(scene, width / 0.9, 0, ROOMY_3D).height;
}

export function arrange(scene: Scene, width: number, tallest = TALLEST, least = SMALL): Layout {
  const flat = scene.spaces.every((s) => s.dims.length <= 1);
  return flat ? rows(scene.spaces, width, tallest) : panels(scene.spaces, width, tallest, least);
}

function rows(spaces: readonly Space[], width: number, tallest: number): Layout {
  const common = axis(
    spaces.flatMap((s) => s.points.flatMap((p) => p)),
    spaces.flatMap((s) => s.elided[0] ?? []),
  );
  const left = MARGIN + LETTER * Math.max(0, ...spaces.map((s) => titleOf(s).length));
  const unit = clamp((width - left - 1.5 * MARGIN) / Math.max(common.length, 1), 10, 60);
  const x = (value: number | undefined): number =>
    left + MARGIN / 2 + unit * (value === undefined ? 0 : common.at(value));
  const right = x(undefined) + unit * common.length;
  const apart = clamp((tallest - 102) / Math.max(1, spaces.length - 1), 40, 74);
  const y = (row: number): number => 52 + apart * row;
  const bottom = y(spaces.length - 1) + 40;
  const mark = (at: number, text: string, look: Text["look"], place = bottom): Text =>
    ({ x: at, y: place, text, look, anchor: "middle" });
  return {
    width: right + MARGIN,
    height: bottom + 10,
    scale: 1,
    radius: radiusFor(unit),
    spots: spaces.map((s, row) => s.points.map((p) => ({ x: x(p[0]), y: y(row) }))),
    texts: [
      ...spaces.map((s, row): Text =>
        ({ x: 4, y: y(row) + 4, text: titleOf(s), look: "name", anchor: "start", space: row })),
      ...ticks(common, unit).map((value) => mark(x(value), String(value), "tick")),
      ...common.gaps.flatMap((gap) =>
        [bottom, ...spaces.map((_, row) => y(row) + 4)].map((place) =>
          mark(x(undefined) + unit * gap, "…", "gap", place))),
    ],
    rules: spaces.flatMap((s, row) => rule(s, x, y(row))),
    flat: true,
  };
}

/** A row's line, broken where instances are left out. */
function rule(s: Space, x: (value: number | undefined) => number, y: number): [Spot, Spot][] {
  const values = s.points.flatMap((p) => p);
  const [first, last] = [values[0], values[values.length - 1]];
  if (first === undefined || last === undefined) return [];
  const gaps = s.elided[0] ?? [];
  const before = (low: number): number => Math.max(...values.filter((v) => v < low));
  const after = (high: number): number => Math.min(...values.filter((v) => v > high));
  const starts = [first, ...gaps.map(([, high]) => after(high))];
  const ends = [...gaps.map(([low]) => before(low)), last];
  return starts.map((start, k) => [{ x: x(start), y }, { x: x(ends[k]), y }]);
}

const UNITS = [38, 33, 29, 25, 22, 19, 16, 14, 12, 10, 8];
const SCROLLBAR = 16; // which high scenes have beside them

/** Panels from left to right, and down where the line is full: in as few lines as they can be without
 * being small, and then as large as fits. */
function panels(spaces: readonly Space[], width: number, tallest: number, least: number): Layout {
  const plans = spaces.map(plan);
  const fitting = UNITS.flatMap((u) => {
    const all = flow(plans.map((p, k) => frame(p, k, u)), width);
    const room = all.height > tallest ? width - SCROLLBAR : width;
    return all.width <= room && (all.height <= tallest || u <= least) ? [{ u, lines: all.lines }] : [];
  });
  const roomy = spaces.some((s) => s.dims.length > 2) ? ROOMY_3D : ROOMY;
  const fewest = Math.min(...fitting.filter(({ u }) => u >= roomy).map(({ lines }) => lines));
  const unit = (fitting.find(({ lines }) => lines === fewest) ?? fitting[0])?.u ?? UNITS[UNITS.length - 1]!;
  const drawn = plans.map((p, k) => panel(p, k, unit));
  const { corners, lines: _, ...size } = flow(drawn, width);
  const moved = <S extends Spot>(s: S, k: number): S =>
    ({ ...s, x: s.x + corners[k]!.x, y: s.y + corners[k]!.y });
  return {
    ...size,
    scale: 1,
    flat: false,
    radius: radiusFor(unit),
    spots: drawn.map((p, k) => p.spots.map((s) => moved(s, k))),
    texts: drawn.flatMap((p, k) => p.texts.map((t) => moved(t, k))),
    rules: drawn.flatMap((p, k) => p.rules.map(([a, b]): [Spot, Spot] => [moved(a, k), moved(b, k)])),
  };
}

interface Size {
  width: number;
  height: number;
}

function flow(sizes: readonly Size[], width: number): Size & { corners: Spot[]; lines: number } {
  const corners: Spot[] = [];
  let [x, y, tallest, widest, lines] = [0, 0, 0, 0, 1];
  for (const size of sizes) {
    if (x > 0 && x + size.width > width) [x, y, tallest, lines] = [0, y + tallest, 0, lines + 1];
    corners.push({ x, y });
    x += size.width;
    tallest = Math.max(tallest, size.height);
    widest = Math.max(widest, x);
  }
  return { corners, lines, width: widest, height: y + tallest };
}
