"""The papers' definitions read in other ways, to see what comes of it (`notebooks/errata.ipynb`).

Nothing is staged: a reading is given to the pass that polynb itself uses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lark import Lark
from lark.exceptions import LarkError

from polynb import isl
from polynb.dependences.analysis import Dependences
from polynb.dependences.live_ranges import LiveRanges, Reference
from polynb.dependences.memory import same_cell
from polynb.dependences.model import Edge
from polynb.derivation import Derivation
from polynb.propagation import propagate, reload_test
from polynb.propagation.reload import ReloadReadings, ReloadTest
from polynb.reordering.active import Active, Below, Functions, ReorderReadings
from polynb.reordering.algorithm import reorder
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.scop.schedule import at_one_time

War = Mapping[str, isl.Map]
Reader = tuple[Statement, MemoryAccess]


# -- CC'18, section 3.2 -----------------------------------------------------------------------


def propagate_with(program: Scop | Derivation, **functions: Callable[..., Any]) -> Derivation:
    """`pn.propagate` with other readings of its reload test: of `piw`, of OR (`overwritten`), and
    of which WAR dependences there are (`war`)."""
    return propagate(program, readings=ReloadReadings(**functions))


def piw_for_all(war: War, raw: isl.Map) -> dict[str, isl.Map]:
    """PIW as printed: `(l, j)` if for all instances i, (i, l) is in war and (i, j) in raw."""
    found = {}
    for writer, overwrites in war.items():
        triples = overwrites.range_product(raw)  # { i -> [l -> j] }, in both relations
        sources = overwrites.domain().union(raw.domain())
        pairs = isl.Map.from_domain_and_range(overwrites.range(), raw.range())
        every = isl.Map.from_domain_and_range(sources, pairs.wrap())
        found[writer] = pairs.subtract(every.subtract(triples).range().unwrap())
    return found


def piw_for_all_that_feed(test: ReloadTest, read: int = 0) -> dict[str, isl.Map]:
    """PIW, read kindly, of one read of a tested edge: `(l, j)` if l overwrites what i reads, for
    all i that feed j."""
    reader, target = (test.scop.by_name[n] for n in (test.edge.source, test.edge.target))
    found = {}
    for name, overwrites in test.operands[read].war.items():
        domain = test.scop.by_name[name].domain
        others = isl.Map.from_domain_and_range(reader.domain, domain).subtract(overwrites)
        contradicted = others.reverse().apply_range(test.edge.relation)
        found[name] = isl.Map.from_domain_and_range(domain, target.domain).subtract(contradicted)
    return found


def or_for_all(piw: War, scop: Scop, target: Statement) -> isl.Set:
    """OR as printed: j if for all instances l of a writer, (l, j) is in PIW and l before j."""
    found = isl.Set.empty(target.domain.get_space())
    for name, pairs in piw.items():
        writer = scop.by_name[name]
        before = pairs.intersect(writer.schedule.lex_lt_map(target.schedule))
        every = isl.Map.from_domain_and_range(writer.domain, target.domain)
        found = found.union(target.domain.subtract(every.subtract(before).range()))
    return found


def or_for_all_in_piw(piw: War, scop: Scop, target: Statement) -> isl.Set:
    """OR, read kindly: j if all l with (l, j) in PIW are before j."""
    found = target.domain
    for name, pairs in piw.items():
        not_before = scop.by_name[name].schedule.lex_ge_map(target.schedule)
        found = found.subtract(pairs.intersect(not_before).range())
    return found


def or_at_the_same_time(piw: War, scop: Scop, target: Statement) -> isl.Set:
    """OR with an order that is not strict: j if an l with (l, j) in PIW is before j, or is j."""
    found = isl.Set.empty(target.domain.get_space())
    for name, pairs in piw.items():
        not_after = scop.by_name[name].schedule.lex_le_map(target.schedule)
        found = found.union(pairs.intersect(not_after).range())
    return found


def war_to_later_instances(
    reader: Reader, writers: Sequence[Statement]
) -> list[tuple[str, isl.Map]]:
    """WAR dependences as other analyses give them: an instance never depends on itself."""
    return [(w.name, same_cell(reader, (w, w.write), strict=True)) for w in writers]


def war_to_the_next_write(edges: Sequence[Edge]) -> Callable[..., list[tuple[str, isl.Map]]]:
    """WAR dependences that were computed before: each read is followed by one write of its cell."""

    def found(reader: Reader, writers: Sequence[Statement]) -> list[tuple[str, isl.Map]]:
        names = {w.name for w in writers}
        mine = [e for e in edges if (e.source, e.array) == (reader[0].name, reader[1].array)]
        return [(e.target, e.relation) for e in mine if e.target in names]

    return found


def reload_test_with_war(
    war: Callable[..., list[tuple[str, isl.Map]]], dependences: Dependences, edge: Edge
) -> ReloadTest:
    """The reload test of one edge, with other WAR dependences."""
    return reload_test(dependences, edge, readings=ReloadReadings(war=war))


# -- CC'18, Figure 3 --------------------------------------------------------------------------

FIGURE_3 = Lark(
    r"""
    start: stmt*
    stmt: "for" NAME "=" aexp "to" aexp "do" stmt* "done"
        | "if" aexp "then" stmt* ["else" stmt*] "fi"
        | acc "=" rexp ";"
    acc:  NAME ("[" aexp "]")*
    aexp: CST | NAME | "(" aexp ")" | aexp ("*" | "/") CST | CST "*" aexp
        | aexp ("+" | "-" | "<=" | "==") aexp
    rexp: acc | aexp | "(" rexp ")" | rexp OPERATION rexp
    OPERATION: "+" | "-" | "*" | "/" | "%" | "&&" | "||" | "<" | "<=" | ">" | ">=" | "==" | "!="
    CST: /[0-9]+/
    NAME: /[A-Za-z_][A-Za-z_0-9]*/
    %ignore /\s+/
    %ignore /\/\/.*/
    """
)
"""The grammar of the input language as it is printed, for the parser generator polynb uses."""


def in_figure_3(text: str) -> bool:
    """Whether a program without declarations is one of the printed grammar."""
    try:
        FIGURE_3.parse(text)
    except LarkError:
        return False
    return True


# -- IMPACT'16 ----------------------------------------------------------------------------------


def reorder_forgetting(program: Scop | Derivation) -> Derivation:
    """`pn.reorder` that only keeps "those pairs of elements that are assigned the same value by the
    entire band" (section 2.4): of a live range that leaves, nothing remains."""

    def below(edges: Sequence[Active], band: Functions) -> Below:
        left = [e.restricted(at_one_time(band, e.source, e.target)) for e in edges]
        return Below(tuple(e for e in left if e.exists), ())

    def inside_groups(edges: Sequence[Active], group: Mapping[str, int]) -> Below:
        return Below(tuple(e for e in edges if group[e.source] == group[e.target]), ())

    readings = ReorderReadings(below=below, inside_groups=inside_groups)
    return reorder(program, readings=readings)


def references_as_printed(ranges: LiveRanges) -> dict[Reference, str]:
    """One name for a write and a read of the same cells in one statement: `+=` is one reference."""
    names: dict[Reference, str] = {}
    count = 0
    for s in ranges.scop.statements:
        for number in (None, *range(len(s.reads))):
            same = number is not None and s.reads[number].relation.is_equal(s.write.relation)
            names[s.name, number] = names[s.name, None] if same else f"R{count}"
            count += not same
    return names


def reorder_with_shared_references(program: Scop | Derivation) -> Derivation:
    """`pn.reorder` with those names of references."""
    return reorder(program, readings=ReorderReadings(naming=references_as_printed))
