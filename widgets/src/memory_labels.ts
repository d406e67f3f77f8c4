// Words in the picture of memory, so that it can be read without its legend: each kind of place is
// named once, where nothing else stands.
import { placeOf, type MemoryLayout } from "./memory_layout";
import { widthOf } from "./spots";
import type { Memory, MemoryConflict, MemoryLayer } from "./trace";

export interface Word {
  text: string;
  of: MemoryLayer["of"];
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
}

export const WORD = 11; // as in stepper.css
const APART = 7; // from a diamond, or from the end of a bar

/** Zones of a cell, of which the upper or the lower half is free. */
interface Gap {
  of: MemoryLayer["of"];
  cell: number;
  from: number;
  to: number;
}

export function wordsOf(memory: Memory, layout: MemoryLayout, conflict: MemoryConflict | null): Word[] {
  const places = (of: MemoryLayer["of"], role: MemoryLayer["role"]): Set<string> =>
    new Set(memory.layers.filter((l) => l.of === of && l.role === role).flatMap((l) => l.places.map(String)));
  const [unused, occupied, lifetime] = [places("existing", "unused"), places("existing", "occupied"), places("proposed", "occupied")];
  const covered = { existing: places("existing", "known"), proposed: new Set([...lifetime, ...places("proposed", "known")]) };
  const writes = { existing: places("existing", "written"), proposed: places("proposed", "written") };
  const words: Word[] = [];

  const isFree = (of: Gap["of"], cell: number, k: number): boolean => {
    const ringed = conflict !== null && conflict.place[0] === cell
      && (conflict.place[1] === k || (conflict.at === "time" && conflict.place[1] === k - 1));
    return !covered[of].has(`${cell},${k}`) && !ringed;
  };
  /** Free neighbours that are in `zones`, of one half, up to where something is written. */
  const gaps = (of: Gap["of"], zones: (place: string) => boolean): Gap[] => memory.cells.flatMap((_, cell) => {
    const found: Gap[] = [];
    for (let k = 0; k <= memory.times.length; k += 1) {
      if (!isFree(of, cell, k) || !zones(`${cell},${k}`)) continue;
      const last = found[found.length - 1];
      if (last?.to === k - 1 && !writes[of].has(`${cell},${k - 1}`)) last.to = k;
      else found.push({ of, cell, from: k, to: k });
    }
    return found;
  });
  const put = (text: string, of: Word["of"], gap: Gap | undefined, anchor: Word["anchor"]): boolean => {
    if (!gap) return false;
    const box = placeOf(layout, gap.cell, gap.from, gap.to);
    if (widthOf(text, WORD) + 2 * APART > box.width) return false;
    const x = { start: box.x + APART, middle: box.x + box.width / 2, end: box.x + box.width - APART }[anchor];
    words.push({ text, of, x, y: box.y + (gap.of === "existing" ? 13 : 30), anchor });
    for (let k = gap.from; k <= gap.to; k += 1) covered[gap.of].add(`${gap.cell},${k}`);
    return true;
  };
  const longest = (found: Gap[]): Gap[] => found.sort((a, b) => (b.to - b.from) - (a.to - a.from));

  const name = `lifetime of ${memory.candidate}`;
  const beside = gaps("proposed", () => true);
  for (const gap of beside) { // right behind the bar, or else before it
    if (lifetime.has(`${gap.cell},${gap.from - 1}`) && put(`← ${name}`, "proposed", gap, "start")) break;
    if (lifetime.has(`${gap.cell},${gap.to + 1}`) && put(`${name} →`, "proposed", gap, "end")) break;
  }
  for (const [role, zones] of [["unused", unused], ["occupied", occupied]] as const) {
    const free = (["existing", "proposed"] as const).flatMap((of) => longest(gaps(of, (place) => zones.has(place))));
    free.some((gap) => put(role, "existing", gap, "middle"));
  }
  for (const of of ["existing", "proposed"] as const) {
    const before = gaps(of, () => true).find(({ cell, to }) => writes[of].has(`${cell},${to}`));
    if (put("written", of, before, "end")) break;
  }
  return words;
}
