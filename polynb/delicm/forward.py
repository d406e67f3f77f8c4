"""Operand tree forwarding (DeLICM, section 3)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from polynb import isl
from polynb.arguments import count, instance, one_of, optional, several_names
from polynb.delicm.forwardable import Forwarding
from polynb.delicm.forwarding_steps import Forwarded, NotForwarded
from polynb.delicm.operand_trees import Obstacle, OperandTree, expression
from polynb.delicm.readings import AS_MEANT, DelicmReadings
from polynb.delicm.values import ProgramValues, values
from polynb.dependences import analyze
from polynb.derivation import Step, attempted, derivation, unanswered
from polynb.rewriting.pool import Pool
from polynb.rewriting.splitting import DomainPiece, Replacement, replace_reads, with_statements
from polynb.scop.model import Scop, Statement
from polynb.scop.schedule import without_promises
from polynb.scop.storage import in_memory
from polynb.source.tree import Access, Expr, walk

BUDGET = 1_000_000
"""isl operations for one read, as Polly has for the whole pass; a sum of products needs about a
thousandth."""

PREFERENCES = ("reload", "copy")

Found = tuple[str, tuple[int, ...], OperandTree]


@derivation(paper="DeLICM", start=in_memory)
def forward_operands(
    scop: Scop,
    *,
    arrays: str | Sequence[str] | None = None,
    prefer: str = "reload",
    max_operations: int | None = BUDGET,
    readings: DelicmReadings = AS_MEANT,
) -> Generator[Step, None, Scop]:
    """Compute or load the values of scalars where they are used (DeLICM, section 3).

    Claims that every statement instance writes what it wrote before, for all parameter values that
    the context and `requires` allow. For each read of a scalar that the program writes, in textual
    order, its whole operand tree is forwarded or nothing: operations are copied, with the
    conversions of the scalars in between; a load is repeated if its cell is unchanged, or else
    replaced by one from an array that has the same content at that time, for each instance.
    A scalar with one definition for all instances of the read has an operand tree; one with
    several can only be reloaded. Scalars that nobody reads any more are left: see `simplify`.

    `arrays`: only these scalars. `prefer`: "reload" the value of an operation where some array has
    it, as the paper does, or "copy" the operation first, as Polly does. (In both, a load is looked
    for in its own cells first, and constants and affine expressions are copied.) `max_operations`
    bounds isl's work on one read; if it is used up, the read stays. `readings`: the listings read
    in other ways. Raises PolynbError for names that are no scalars of the program.
    """
    instance("readings", readings, DelicmReadings, "DelicmReadings()")
    scalars = [n for n, a in scop.arrays.items() if not a.dimensions]
    asked = optional(several_names, "arrays", arrays, scalars, what="scalar")
    one_of("prefer", prefer, PREFERENCES)
    optional(count, "max_operations", max_operations)
    written = frozenset(s.write.array for s in scop.statements if s.write.array in scalars)
    wanted = written if asked is None else written & frozenset(asked)
    if not any(r.array in wanted for s in scop.statements for r in s.reads):
        return scop
    known, pool = values(analyze(scop)), Pool(scop)
    result = scop
    for target in scop.statements:
        search = readings.forwarding(known, target, written, prefer)
        trees: list[tuple[Found, Expr]] = []
        for scalar in dict.fromkeys(r.array for r in target.reads if r.array in wanted):
            reads = tuple(k for k, r in enumerate(target.reads) if r.array == scalar)
            forwarded = _forwardable(max_operations, search, scalar, reads, pool)
            if isinstance(forwarded, Obstacle):
                yield NotForwarded(scalar, target, forwarded)
            else:
                trees.append(((scalar, reads, forwarded[0]), forwarded[1]))
        if trees:
            after = _replaced(scop, pool, target, trees)
            result = with_statements(result, target.name, (after,))
            for (scalar, reads, tree), new in trees:
                yield Forwarded(scalar, target, after, reads, tree, new)
    if result is scop:
        return scop
    return replace(result, schedule=without_promises(result.schedule, result.arrays))


def _forwardable(
    max_operations: int | None,
    search: Forwarding,
    scalar: str,
    reads: Sequence[int],
    pool: Pool,
) -> tuple[OperandTree, Expr] | Obstacle:
    """The tree of the reads of one scalar, and its expression, found in so many operations."""
    target = search.target
    obstacle = _not_replaceable(target, scalar, reads, search.values)
    if obstacle is not None:
        return obstacle
    tree = attempted(max_operations, _evaluated, search, reads[0], pool)
    return Obstacle(unanswered(tree)) if isinstance(tree, isl.IslError) else tree


def _evaluated(search: Forwarding, read: int, pool: Pool) -> tuple[OperandTree, Expr] | Obstacle:
    tree = search.tree(read)
    if isinstance(tree, Obstacle):
        return tree
    return tree, expression(tree, search.target, search.scop, pool)


def _not_replaceable(
    target: Statement, scalar: str, reads: Sequence[int], known: ProgramValues
) -> Obstacle | None:
    """Reads stay that decide whether, or where, a statement writes."""
    if target.domain.intersect_params(known.scop.assumed).is_empty():
        return Obstacle(f"{target.name} never runs")
    if target.guard is not None:
        return Obstacle(f"whether {target.name} runs depends on data")
    nodes = {id(target.reads[k].node) for k in reads}
    inside = (x for sub in target.write.node.subscripts for x in walk(sub))
    if any(isinstance(x, Access) and id(x) in nodes for x in inside):
        return Obstacle(f"{target.name} uses it to choose an element of {target.write.array}")
    return None


def _replaced(
    scop: Scop, pool: Pool, target: Statement, found: Sequence[tuple[Found, Expr]]
) -> Statement:
    """The target with the reads of scalars replaced: by expressions over its own iterators."""
    itself = target.domain.identity()
    replacements = tuple(
        Replacement(k, replace(target, expression=new), itself)
        for (_, reads, _), new in found
        for k in reads
    )
    (after,), _ = replace_reads(scop, pool, target, [DomainPiece(target.domain, replacements)])
    return after
