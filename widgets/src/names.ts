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
