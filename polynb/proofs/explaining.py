"""How a proof goes, as a derivation: it is done once more, with a record of its steps.

A recurrence is proved by coinduction: what is to be shown of it may be assumed where it comes up
again, of earlier instances (Verdoolaege, Janssens, Bruynooghe, TOPLAS 2012, section 5).
"""

from __future__ import annotations

from collections.abc import Generator

from polynb.derivation import Derivation, Step, derivation
from polynb.errors import PolynbError
from polynb.proofs.answers import Proof
from polynb.proofs.proving import SECONDS, attempted
from polynb.proofs.recording import Recorder
from polynb.proofs.steps import Concluded
from polynb.scop.model import Scop


@derivation(paper="TOPLAS'12", name="prove")
def proved(
    before: Scop,
    after: Scop,
    *,
    max_operations: int | None = None,
    seconds: float | None = SECONDS,
) -> Generator[Step, None, Scop]:
    """The steps of the proof that two programs are the same; it ends in the second one.

    The last step is its answer, within a budget.
    """
    record = Recorder()
    proof = attempted(before, after, record, max_operations=max_operations, seconds=seconds)
    yield from record.steps
    yield Concluded("; ".join(" ".join(line.split()) for line in str(proof).splitlines()))
    return after


def explained(proof: Proof) -> Derivation:
    """The steps of a proof."""
    if proof.programs is None:
        raise PolynbError("this proof is about no programs", hint="pn.prove(before, after)")
    operations, seconds = proof.budget
    return proved(*proof.programs, max_operations=operations, seconds=seconds)
