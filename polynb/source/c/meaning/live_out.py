"""What a function still needs after a region (CC'18, section 5.1): not what it frees or kills.

`__pencil_kill(A, B);` is PENCIL's and PPCG's way to say that the content of A and B is not needed
any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator as Iter, Mapping, Sequence
from dataclasses import dataclass, field

from pycparser import c_ast

from polynb.source.c.read.grammar import Places
from polynb.source.mistakes import mistake

Nodes = tuple[c_ast.Node, ...]

KILL = "__pencil_kill"
_FREED = "freed right after the loops"
_KILLED = f"killed by {KILL}"


@dataclass(frozen=True, eq=False)
class Afterwards:
    """What happens to variables, by name, after a region.

    `used` may be read then: the function mentions them, or their address is known elsewhere.
    `aliased` are arrays of which another variable holds a pointer. `dead` are those whose content
    nothing reads, whatever the rest of the function does, and why.
    """

    used: frozenset[str] = frozenset()
    aliased: frozenset[str] = frozenset()
    dead: Mapping[str, str] = field(default_factory=dict)


def released(following: Iterable[c_ast.Node], places: Places) -> dict[str, str]:
    """What is freed or killed immediately after the region: nothing in between can read it.

    `following` are the statements that are executed next, whatever happens."""
    found: dict[str, str] = {}
    for node in following:
        names = _released(node, places)
        if names is None and not _harmless(node):
            break
        for name, why in (names or {}).items():
            found.setdefault(name, why)
    return found


def without_tail(items: Sequence[c_ast.Node], places: Places) -> tuple[Nodes, Nodes]:
    """The statements of a whole function without its last ones that only free or kill; and
    these."""
    count = len(items)
    while count and (_released(items[count - 1], places) is not None or _clears(items[count - 1])):
        count -= 1
    return tuple(items[:count]), tuple(items[count:])


def kills(
    items: Sequence[c_ast.Node], places: Places
) -> tuple[Nodes, dict[str, str], tuple[c_ast.ID, ...]]:
    """The statements of a region without the kills among them, what these kill, and where.

    Raises PolynbError for a kill between two uses: the region would need two arrays.
    """
    rest = tuple(x for x in items if not _is_call(x, KILL))
    found: dict[str, str] = {}
    places_of = []
    for k, node in enumerate(items):
        if not _is_call(node, KILL):
            continue
        for target in killed(node, places):
            places_of.append(target)
            before = set(names(x for x in items[:k] if not _is_call(x, KILL)))
            after = set(names(x for x in items[k + 1 :] if not _is_call(x, KILL)))
            if target.name in before and target.name in after:
                raise mistake("c.kill-between", places.span(target), name=target.name)
            if target.name not in after:
                found[target.name] = _KILLED
    return rest, found, tuple(places_of)


def killed(call: c_ast.FuncCall, places: Places) -> list[c_ast.ID]:
    """The variables that a kill names. Raises PolynbError for anything else."""
    targets = list(call.args.exprs) if call.args is not None else []
    for x in targets:
        if not isinstance(x, c_ast.ID):
            raise mistake("c.kill-names", places.span(x), kill=KILL)
    return targets


def names(nodes: Iterable[c_ast.Node]) -> Iter[str]:
    """The variables that code mentions. What is only freed or killed is not used."""
    for node in nodes:
        match node:
            case c_ast.ID(name=name):
                yield name
            case c_ast.FuncCall(name=c_ast.ID(name=name)) if name in ("free", KILL):
                pass
            case c_ast.Assignment() if _clears(node):
                pass
            case c_ast.FuncCall(name=c_ast.ID(), args=args):
                yield from names(() if args is None else (args,))
            case _:
                yield from names(child for _, child in node.children())


def escaping(body: c_ast.Compound, inside: Nodes) -> Iter[str]:
    """The variables whose address is taken outside the region: anything may use them later."""
    for node in _outside(body, inside):
        if isinstance(node, c_ast.UnaryOp) and node.op == "&":
            yield from names((node.expr,))


def aliased(body: c_ast.Compound, inside: Nodes) -> Iter[str]:
    """The variables whose values are copied outside the region: for an array, its address.

    (A function that gets it as an argument is taken not to keep it.)"""
    for node in _outside(body, inside):
        match node:
            case c_ast.Assignment(op="=", rvalue=value):
                yield from _copied(value)
            case c_ast.Decl(init=value) if value is not None:
                yield from _copied(value)


def _copied(value: c_ast.Node) -> Iter[str]:
    match value:
        case c_ast.ID(name=name):
            yield name
        case c_ast.ArrayRef() | c_ast.FuncCall():
            pass
        case c_ast.UnaryOp(op="sizeof"):
            pass
        case _:
            for _, child in value.children():
                yield from _copied(child)


def _outside(body: c_ast.Compound, inside: Nodes) -> Iter[c_ast.Node]:
    skipped = {id(x) for item in inside for x in all_nodes((item,))}
    return (x for x in all_nodes((body,)) if id(x) not in skipped)


def all_nodes(nodes: Iterable[c_ast.Node]) -> Iter[c_ast.Node]:
    """The nodes and all below them, in the order of the text."""
    for node in nodes:
        yield node
        yield from all_nodes(child for _, child in node.children())


def allocates(node: c_ast.Node | None) -> str | None:
    """The function that gives a pointer memory of its own; None if none does."""
    match node:
        case c_ast.Cast(expr=inner):
            return allocates(inner)
        case c_ast.FuncCall(name=c_ast.ID(name=name)):
            return name if name in ("malloc", "calloc", "aligned_alloc", "alloca") else None
    return None


def _released(node: c_ast.Node, places: Places) -> dict[str, str] | None:
    """What a statement frees or kills; None if it is none of this kind."""
    if _is_call(node, KILL):
        return {x.name: _KILLED for x in killed(node, places)}
    if _is_call(node, "free") and node.args is not None and len(node.args.exprs) == 1:
        pointer = node.args.exprs[0]
        while isinstance(pointer, c_ast.Cast):
            pointer = pointer.expr
        return {pointer.name: _FREED} if isinstance(pointer, c_ast.ID) else {}
    return None


def _harmless(node: c_ast.Node) -> bool:
    """Whether a statement reads nothing."""
    match node:
        case c_ast.EmptyStatement() | c_ast.Pragma() | c_ast.Typedef() | c_ast.Decl(init=None):
            return True
    return _clears(node)


def _clears(node: c_ast.Node) -> bool:
    """`p = NULL;`"""
    match node:
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(), rvalue=c_ast.ID(name="NULL")):
            return True
    return False


def _is_call(node: c_ast.Node, name: str) -> bool:
    match node:
        case c_ast.FuncCall(name=c_ast.ID(name=called)):
            return bool(called == name)
    return False
