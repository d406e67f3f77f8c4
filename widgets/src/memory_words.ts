// What is said of memory: of a place, and of all that a picture shows.
import { runsOf } from "./memory_layout";
import type { MemoryRole } from "./textures";
import type { Memory, MemoryConflict, MemoryLayer } from "./trace";

/** A place of a picture: a cell in a zone, or at the time of an instance. */
export interface Place {
  cell: number;
  k: number;
  at: MemoryConflict["at"];
}

const NAMES: Readonly<Record<MemoryRole, string>> = {
  unused: "unused", occupied: "occupied", known: "known content", written: "written",
};

export function layerName({ of, role }: Pick<MemoryLayer, "of" | "role">): string {
  return of === "proposed" && role === "occupied" ? "lifetime" : NAMES[role];
}

/** What is wrong there, as it is named beside the place. */
export const RULES: Readonly<Record<MemoryConflict["rule"], string>> = {
  lifetime: "lifetime in an occupied zone",
  "existing write": "existing write into the lifetime",
  "proposed write": "proposed write into an occupied zone",
  "both write": "both write",
};

export function zoneText({ times }: Memory, from: number, to = from): string {
  const [before, after] = [times[from - 1], times[to]];
  if (before === undefined) return after === undefined ? "at all times" : `before ${after}`;
  return after === undefined ? `after ${before}` : `between ${before} and ${after}`;
}

function holds(layer: MemoryLayer, { cell, k, at }: Place): string | null {
  if ((layer.role === "written") !== (at === "time")) return null;
  const found = layer.places.findIndex((p) => p[0] === cell && p[1] === k);
  if (found < 0) return null;
  const value = layer.values?.[found];
  return layerName(layer) + (value ? ` ${value}` : "");
}

/** `C[0], between T(0) and S(0, 0): unused; c: lifetime, known content 0` */
export function placeText(memory: Memory, place: Place, conflict: MemoryConflict | null): string {
  const where = place.at === "zone"
    ? `, ${zoneText(memory, place.k)}` : ` at ${memory.times[place.k]}`;
  const said = (of: MemoryLayer["of"]): string => memory.layers.filter((layer) => layer.of === of)
    .flatMap((layer) => holds(layer, place) ?? []).join(", ");
  const proposed = said("proposed");
  const hit = conflict && conflict.at === place.at && conflict.place[0] === place.cell && conflict.place[1] === place.k;
  const parts = [
    said("existing") || (place.at === "time" ? "not written" : "nothing is known"),
    proposed && `${memory.candidate ?? "proposed"}: ${proposed}`,
    hit && `conflict, ${RULES[conflict.rule]}`,
  ];
  return `${memory.cells[place.cell]}${where}: ${parts.filter(Boolean).join("; ")}`;
}

/** All of it as rows of a table: what, where, which value. */
export function memoryRows(memory: Memory, conflict: MemoryConflict | null): [string, string, string][] {
  const rows = memory.layers.flatMap((layer) => runsOf(layer).map(({ cell, from, to, value }): [string, string, string] => {
    const when = layer.role === "written" ? `at ${memory.times[from]}` : zoneText(memory, from, to);
    const of = layer.of === "proposed" ? `${memory.candidate ?? "proposed"}: ` : "";
    return [of + layerName(layer), `${memory.cells[cell]}, ${when}`, value];
  }));
  if (!conflict) return rows;
  const [cell, k] = conflict.place;
  const when = conflict.at === "zone" ? zoneText(memory, k!) : `at ${memory.times[k!]}`;
  return [[`conflict: ${RULES[conflict.rule]}`, `${memory.cells[cell!]}, ${when}`, ""], ...rows];
}
