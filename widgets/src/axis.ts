// One dimension: where its values go, in units. Stretches of which no instance is shown are
// squeezed into a gap, and strides (of tile origins, say) into single steps.

export const GAP = 1.8;

export interface Axis {
  values: number[];
  length: number;
  /** Where a stretch was left out. */
  gaps: number[];
  at(value: number): number;
}

export function axis(all: Iterable<number>, elided: readonly (readonly [number, number])[]): Axis {
  const values = [...new Set(all)].sort((a, b) => a - b);
  const places = new Map<number, number>();
  const gaps: number[] = [];
  const isGap = (a: number, b: number): boolean =>
    elided.some(([low, high]) => low > a && high < b);
  const stride = values.reduce((unit, value, k) => {
    const before = values[k - 1];
    return before === undefined || isGap(before, value) ? unit : gcd(unit, value - before);
  }, 0) || 1;

  let at = 0;
  values.forEach((value, k) => {
    const before = values[k - 1];
    if (before !== undefined && isGap(before, value)) {
      gaps.push(at + GAP / 2);
      at += GAP;
    } else if (before !== undefined) {
      at += (value - before) / stride;
    }
    places.set(value, at);
  });
  return { values, length: at, gaps, at: (value) => places.get(value) ?? 0 };
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

/** The line of an axis, broken at its gaps. */
export function stretches({ length, gaps }: Axis): [number, number][] {
  const starts = [0, ...gaps.map((gap) => gap + GAP / 3)];
  const ends = [...gaps.map((gap) => gap - GAP / 3), length];
  return starts.map((start, k) => [start, ends[k]!]);
}

/** Which of the values get a number, so that the numbers do not touch. */
export function ticks({ values, at }: Axis, unit: number, upright = false): number[] {
  const room = upright ? 13 : 8 + 7 * Math.max(0, ...values.map((v) => String(v).length));
  const found: number[] = [];
  let free = -Infinity;
  const last = values[values.length - 1];
  for (const value of values) {
    const here = at(value) * unit;
    const clear = value === last || last === undefined || at(last) * unit - here >= room;
    if (here >= free && clear) {
      found.push(value);
      free = here + room;
    }
  }
  return found;
}
