"""Whether what a derivation ends in computes what its program did: a line of its display.

It is proved, in the little time that a display has, or else checked at some small sizes.
"""

from __future__ import annotations

from typing import Any, Final
from weakref import WeakKeyDictionary

from polynb import isl
from polynb.derivation import Derivation, original
from polynb.errors import PolynbError
from polynb.scop import Scop
from polynb.show.displays.naming import variable_of

SECONDS: Final = 0.5
CHECKING: Final = 0.3
INSTANCES: Final = 2_000
"""The most statement instances that a check runs at one size."""
SIZES: Final = (0, 1, 5, 8)

_known: WeakKeyDictionary[Derivation[Any, Any], str] = WeakKeyDictionary()


def sameness(derivation: Derivation[Any, Any]) -> str:
    """In a sentence, the same one for a derivation each time; "" where there is nothing to say, as
    nothing was changed, or no program is left."""
    if not derivation.rewrites or derivation.result is derivation.before:
        return ""
    if derivation not in _known:
        _known[derivation] = _found(original(derivation), derivation.result, derivation)
    return _known[derivation]


def _found(before: Scop, after: Scop, derivation: Derivation[Any, Any]) -> str:
    from polynb.proofs import prove  # this loads all that runs programs

    try:
        proof = prove(before, after, seconds=SECONDS)
    except PolynbError as error:
        return f"Whether it computes the same is not known: {error.message}."
    if proof.scope:
        return f"It computes {proof.answer}: {proof.scope}."
    return _checked(before, after, variable_of(derivation) or "_")


def _checked(before: Scop, after: Scop, name: str) -> str:
    from polynb.run.oracle import equivalent
    from polynb.run.verdicts import DIFFERENT, FORM, SAME

    same, form = list[int](), False
    try:
        with isl.budget(seconds=CHECKING):
            for size in SIZES if before.parameters else (0,):
                values = dict.fromkeys(before.parameters, size)
                if isl.fix_parameters(before.assumed, values).is_empty():
                    continue
                found = equivalent(before, after, values, limit=INSTANCES)
                if found.answer == DIFFERENT:
                    return f"It does not compute the same: {found.difference}"
                form |= not found
                same.append(size)
    except PolynbError:
        pass  # the sizes so far are what was checked
    if not same:
        return f"Whether it computes the same takes longer to prove: pn.prove({name})."
    sizes = f" for {' = '.join(before.parameters)} = {', '.join(map(str, same))}"
    answer = FORM if form else SAME
    return f"It computes {answer}, checked{sizes if before.parameters else ''}."
