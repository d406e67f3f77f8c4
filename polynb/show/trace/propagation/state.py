"""What the frames of a propagation keep from step to step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from polynb import isl
from polynb.derivation import Step
from polynb.propagation.steps import ReloadTested
from polynb.show.trace.builder import TraceBuilder

TESTS: Final = 120  # reload tests that are unfolded; of more, those that refuse and the first ones


@dataclass
class PropagationState:
    """The propagation dependences `{ S[i] -> T[j] }` so far, by source, target and read; and the
    reload tests of the derivation that are told in full, once they are known."""

    propagated: dict[tuple[str, str, int], isl.Map] = field(default_factory=dict)
    in_full: frozenset[ReloadTested] | None = None


def told_in_full(step: ReloadTested, builder: TraceBuilder) -> bool:
    """Whether a reload test is unfolded, or has its sentence only."""
    known = builder.state(PropagationState)
    if known.in_full is None:
        known.in_full = chosen_tests(builder.derivation.steps)
    return step in known.in_full


def chosen_tests(steps: Sequence[Step]) -> frozenset[ReloadTested]:
    """All reload tests, but of very many only those that refuse and the first of each array."""
    tests = {k: s for k, s in enumerate(steps) if isinstance(s, ReloadTested)}
    if len(tests) <= TESTS:
        return frozenset(tests.values())
    return frozenset(s for k, s in tests.items() if not s.test.complete or k - 1 not in tests)
