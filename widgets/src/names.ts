// How instances and dates are written, and the ids by which panels know the same thing.
import type { Instance, Scene } from "./trace";

export function pointText(point: readonly number[]): string {
  return `(${point.join(", ")})`;
}

/** `S(0, 1)`, or `S` if it has no loops. */
export function instanceName(scene: Scene, [space, point]: Instance): string {
  const s = scene.spaces[space];
  const at = s?.points[point];
  if (!s || !at) return "?";
  return at.length ? s.name + pointText(at) : s.name;
}

/** All of them, those that follow one another as `S(0) to S(4)`. */
export function instancesText(scene: Scene, instances: readonly Instance[]): string {
  const sorted = [...instances].sort(([a, p], [b, q]) => a - b || p - q);
  const runs: Instance[][] = [];
  for (const at of sorted) {
    const run = runs[runs.length - 1];
    if (run && follows(scene, run[run.length - 1]!, at)) run.push(at);
    else runs.push([at]);
  }
  return runs.flatMap((run) => {
    const names = run.map((at) => instanceName(scene, at));
    return run.length > 2 ? [`${names[0]} to ${names[names.length - 1]}`] : names;
  }).join(", ");
}

/** Whether an instance is the next one of the innermost loop. */
function follows(scene: Scene, [a, p]: Instance, [b, q]: Instance): boolean {
  const [from, to] = [scene.spaces[a]?.points[p], scene.spaces[b]?.points[q]];
  const last = (to?.length ?? 0) - 1;
  return a === b && from !== undefined && to !== undefined
    && to.every((v, k) => v === from[k]! + (k === last ? 1 : 0));
}

export function instanceId(scene: Scene, [space, point]: Instance): string {
  const s = scene.spaces[space];
  return `i:${s?.name ?? "?"}:${s?.points[point]?.join(",") ?? "?"}`;
}

function dateText(scene: Scene, [space, point]: Instance): string {
  const date = scene.spaces[space]?.dates[point];
  return date?.length ? pointText(date) : "";
}

/** `S(0, 1), date (0, 1, 2)` */
export function described(scene: Scene, at: Instance): string {
  const date = dateText(scene, at);
  return date ? `${instanceName(scene, at)}, date ${date}` : instanceName(scene, at);
}

export function compareDates(a: readonly number[], b: readonly number[]): number {
  const k = a.findIndex((value, at) => value !== b[at]);
  return k < 0 ? a.length - b.length : a[k]! - (b[k] ?? -Infinity);
}
