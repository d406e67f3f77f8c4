// What is drawn of a step's overlays and of the dependences: all of it, or, where these would be too
// many arrows, those of the instances that the trace names.
import type { Player } from "./player";
import type { Instance, Overlay } from "./trace";

/** So many instances' arrows are not much, where nothing was asked for. */
export const FEW = 4;

export interface Sight {
  overlays: readonly Overlay[];
  relations: readonly Overlay[];
  /** Whose arrows are drawn; none: all of them are. */
  of: readonly Instance[];
  /** Whether all arrows are too many. */
  tangled: boolean;
}

const known = new WeakMap<Player, { key: readonly unknown[]; sight: Sight }>();

/** Asked for by all that show it, found once. */
export function sightOf(player: Player): Sight {
  const { scene, drawn, overlays, showsRelations, display } = player;
  const key = [scene, drawn, showsRelations, display.everything];
  const before = known.get(player);
  if (before && key.every((part, k) => part === before.key[k])) return before.sight;
  const mine = new Set(overlays.map((o) => o.id));
  const relations = showsRelations ? scene!.relations.filter((r) => !mine.has(r.id)) : [];
  const focus = [...(overlays.length ? drawn?.focus ?? [] : []), ...(showsRelations ? scene!.focus ?? [] : [])];
  const of = display.everything ? [] : focus;
  const less = (all: readonly Overlay[]): readonly Overlay[] => (of.length ? all.map((o) => thinned(o, of)) : all);
  const sight = { overlays: less(overlays), relations: less(relations), of, tangled: focus.length > 0 };
  known.set(player, { key, sight });
  return sight;
}

/** An overlay with the arrows of some instances only. */
export function thinned(o: Overlay, of: readonly Instance[]): Overlay {
  if (!o.pairs) return o;
  const pairs = o.pairs.filter(([a, p, b, q]) =>
    of.some(([space, point]) => (a === space && p === point) || (b === space && q === point)));
  return pairs.length === o.pairs.length ? o : { ...o, pairs, total: o.total ?? o.pairs.length };
}
