"""Of arrows that are too many to be told apart: the instances whose arrows are shown first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from polynb.show.trace.format import Frame, OverlayJson, SceneJson

IN_ROWS: Final = 150  # arrows that can be told apart between rows
BETWEEN_PLANES: Final = 6  # between planes, where they cross
IN_PLANES: Final = 60  # in planes, from neighbour to neighbour
BESIDE_A_WITNESS: Final = 3  # between planes, where all but those of the witness are in its way
CLEAR: Final = 12  # arrows of one instance, if another has as few

Instance = tuple[int, int]


def add_focus(scenes: Sequence[SceneJson], frames: Iterable[Frame]) -> None:
    """Give each frame, and each scene for its dependences, the `focus` that it needs."""
    for scene in scenes:
        found = focus(scene, scene["relations"])
        if found:
            scene["focus"] = [list(at) for at in found]
    for frame in frames:
        overlays = frame.get("overlays", [])
        if frame["scene"] is not None and overlays:
            witness = frame.get("witness")
            places = [i["at"] for i in witness["instances"]] if witness else []
            proof = [(space, point) for space, point in places]
            found = focus(scenes[frame["scene"]], overlays, proof)
            if found:
                frame["focus"] = [list(at) for at in found]


def focus(
    scene: SceneJson, overlays: Sequence[OverlayJson], proof: Sequence[Instance] = ()
) -> list[Instance]:
    """The instances whose arrows are drawn, none if all arrows can be told apart: those of the
    witness, and, as long as an overlay has no arrow of these, the one that most such overlays have
    arrows of; of these one with a good number, in the middle of its space."""
    if not _tangled(scene, overlays, BESIDE_A_WITNESS if proof else BETWEEN_PLANES):
        return []
    found = list(proof)
    while left := [o for o in overlays if o.get("pairs") and not _touched(o, found)]:
        found.append(_best(scene, left))
    return found


def _tangled(scene: SceneJson, overlays: Sequence[OverlayJson], between: int) -> bool:
    pairs = [p for o in overlays for p in o.get("pairs", [])]
    depths = [len(s["dims"]) for s in scene["spaces"]]
    if max(depths, default=0) <= 1:
        return len(pairs) > IN_ROWS
    planar = all(a == b and depths[a] <= 2 for a, _, b, _ in pairs)
    return len(pairs) > (IN_PLANES if planar else between)


def _touched(o: OverlayJson, found: Iterable[Instance]) -> bool:
    return bool(thinned(o, found)["pairs"])


def _best(scene: SceneJson, overlays: Sequence[OverlayJson]) -> Instance:
    arrows: Counter[Instance] = Counter()
    within: defaultdict[Instance, set[int]] = defaultdict(set)
    for k, o in enumerate(overlays):
        for a, p, b, q in o["pairs"]:
            for at in {(b, q): None, (a, p): None}:
                arrows[at] += 1
                within[at].add(k)

    def order(at: Instance) -> tuple[int, int, float]:
        space, point = at
        count = arrows[at]
        middle = (len(scene["spaces"][space]["points"]) - 1) / 2
        return len(within[at]), count if count <= CLEAR else -count, -abs(point - middle)

    return max(arrows, key=order)


def thinned(o: OverlayJson, found: Iterable[Instance]) -> OverlayJson:
    """An overlay with the arrows of some instances only."""
    known = set(found)
    pairs = o.get("pairs", [])
    kept = [p for p in pairs if (p[0], p[1]) in known or (p[2], p[3]) in known]
    if len(kept) == len(pairs):
        return o
    return o | {"pairs": kept, "total": o.get("total", len(pairs))}
