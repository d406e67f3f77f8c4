"""isl's own scheduler, with its options named (Verdoolaege, "isl"; IMPACT'16, section 2.4)."""

from __future__ import annotations

from dataclasses import dataclass, fields

from polynb import isl
from polynb.arguments import flag, instance, integer, optional
from polynb.reordering.constraints import ScheduleConstraints
from polynb.scop.schedule import Filter, Leaf, Sequence, Tree, statement_names
from polynb.scop.schedule_isl import from_isl


@dataclass(frozen=True)
class IslOptions:
    """isl's `schedule_*` options; the defaults are PPCG's.

    `whole_component`: schedule weakly connected statements together from the start, not strongly
    connected ones that are then merged. `maximize_band_depth`: split statements up rather than end
    a band early. `maximize_coincidence`: do not merge where that costs a coincident member.
    `outer_coincidence`: insist on a coincident outermost member. `serialize_sccs`: never fuse
    strongly connected components. `split_scaled`: take common factors out of members.
    `treat_coalescing`: avoid members like `n i + j`. `max_coefficient`, `max_constant_term`: the
    largest allowed (-1: any).
    """

    whole_component: bool = False
    maximize_band_depth: bool = True
    maximize_coincidence: bool = True
    outer_coincidence: bool = False
    serialize_sccs: bool = False
    split_scaled: bool = True
    treat_coalescing: bool = True
    max_coefficient: int = -1
    max_constant_term: int = -1

    def __post_init__(self) -> None:
        for f in fields(self)[:-2]:
            flag(f.name, getattr(self, f.name))
        for f in fields(self)[-2:]:
            integer(f.name, getattr(self, f.name), least=-1, most=2**31 - 1)


@isl.guarded
def isl_schedule(constraints: ScheduleConstraints, options: IslOptions | None = None) -> Tree:
    """The schedule tree of isl's scheduler. Raises PolynbError for constraints that do not fit, and
    IslError where isl finds none."""
    instance("constraints", constraints, ScheduleConstraints, "cpu(live_ranges(scop))").check()
    optional(instance, "options", options, IslOptions, "IslOptions()")
    chosen = options or IslOptions()
    sc = isl.ScheduleConstraints.on_domain(isl.union_set(constraints.domain))
    sc = sc.set_context(constraints.context)
    sc = sc.set_validity(constraints.union("validity"))
    sc = sc.set_proximity(constraints.union("proximity"))
    sc = sc.set_coincidence(constraints.union("coincidence"))
    if constraints.of("condition") or constraints.of("conditioned_validity"):
        sc = sc.set_conditional_validity(
            constraints.union("condition"), constraints.union("conditioned_validity")
        )
    values = {f"schedule_{f.name}": int(getattr(chosen, f.name)) for f in fields(chosen)}
    with isl.options(values), isl.wrapped():
        tree = from_isl(sc.compute_schedule())
    return _with_all(tree, constraints.names())


def _with_all(tree: Tree, names: tuple[str, ...]) -> Tree:
    """With the statements that have no instances, which isl leaves out, and with each for itself
    where isl says nothing of any, as all are unrelated and have no loops."""
    there = statement_names(tree)
    missing = [n for n in names if n not in there]
    if not missing or len(names) == 1:
        return tree
    parts = [Filter(dict.fromkeys(n for n in names if n in there), tree)] if there else []
    return Sequence((*parts, *(Filter({n: None}, Leaf()) for n in missing)))
