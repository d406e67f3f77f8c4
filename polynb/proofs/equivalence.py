"""`pn.equivalent`: whether two programs compute the same: proved, or else run at some sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from polynb import isl
from polynb.arguments import count, flag, named
from polynb.derivation import Derivation
from polynb.proofs.proving import prove as proof_of
from polynb.run import oracle
from polynb.run.execution import LIMIT
from polynb.run.oracle import Equivalence
from polynb.run.verdicts import DIFFERENT
from polynb.scop.model import Scop

SECONDS: Final = 10.0
"""What the attempt to prove it may take."""


@isl.bounded("the comparison of two programs")
def equivalent(
    before: Scop | Derivation,
    after: Scop | Derivation | None = None,
    parameters: Mapping[str, Sequence[int] | int] | None = None,
    *,
    limit: int = LIMIT,
    prove: bool = True,
    **values: Sequence[int] | int,
) -> Equivalence:
    """Whether two programs compute the same, whatever the data.

    Compared are all cells that either of them writes, but for those of temporaries. A Derivation
    alone is compared with what it was derived from. Where it can be, it is proved for all parameter
    values (see `pn.prove`), or refuted. Else, or if not `prove`, or if parameter values are given,
    both programs run at some: on symbolic terms, so that equality is exact and owes nothing to
    floating point, and as numbers where terms differ; `before` as its text says if it has one,
    `after` in the order of its schedule. The answer has the same words as that of `pn.prove`.

    Parameter values are lists, `N=[0, 1, 5]`, combined with each other (`parameters` takes them
    as a mapping); small ones are chosen where none are given, of very many combinations a sample
    (all equal, all but one equal, and others; the same each time). Values outside the context or
    `requires` of `before` are skipped and counted. `limit` bounds the statement instances of a
    run. Raises PolynbError if no value is left, for unknown parameters, and above the limit.
    """
    limit, prove = count("limit", limit), flag("prove", prove)
    given = {**({} if parameters is None else named("parameters", parameters)), **values}
    first, second = oracle.programs(before, after)
    if prove and not given and not first.assumed.is_empty():
        proof = proof_of(first, second, seconds=SECONDS)
        if proof.scope:
            return Equivalence(0, 0, proof=proof)
        run = oracle.equivalent(first, second, limit=limit)  # finds the smallest difference
        if run.answer != DIFFERENT and proof.answer == DIFFERENT:
            return Equivalence(1, 0, proof.difference)
        return Equivalence(1, 0, proof.difference) if run and proof.difference else run
    return oracle.equivalent(first, second, given, limit=limit)
