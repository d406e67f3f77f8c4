// Lines that are too many for their box are folded, not scrolled: what a step is about is there, with
// the loops around it and as many lines near it as there is room for. Pure.

/** Which lines are shown, of some heights and indents, in `room` pixels; each gap takes `gap`. */
export function foldedLines(
  heights: readonly number[], indents: readonly number[], wanted: readonly number[], room: number, gap: number,
): boolean[] {
  const shown = heights.map(() => false);
  let used = gap; // all of it is one gap
  for (const k of orderOf(indents, wanted)) {
    const [before, after] = [k > 0 && !shown[k - 1], k + 1 < shown.length && !shown[k + 1]];
    const more = heights[k]! + gap * (Number(before) + Number(after) - 1);
    if (used + more > room) continue;
    shown[k] = true;
    used += more;
  }
  return shown;
}

/** First what is wanted, then what is around it, then what is near. */
function orderOf(indents: readonly number[], wanted: readonly number[]): number[] {
  const about = wanted.length ? wanted : [0];
  const around = about.flatMap((k) => enclosing(indents, k));
  const near = indents.map((_, k) => k).sort((a, b) => distance(a, about) - distance(b, about));
  return [...new Set([...about, ...around, ...near])];
}

function enclosing(indents: readonly number[], at: number): number[] {
  const found: number[] = [];
  for (let k = at - 1, inner = indents[at]!; k >= 0 && inner > 0; k -= 1) {
    if (indents[k]! >= inner) continue;
    found.push(k);
    inner = indents[k]!;
  }
  return found;
}

function distance(k: number, about: readonly number[]): number {
  return Math.min(...about.map((a) => Math.abs(a - k)));
}
