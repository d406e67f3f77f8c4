"""isl's syntax trees, read node by node."""

from __future__ import annotations

from collections.abc import Iterator

from polynb import isl
from polynb.scop.affine_from_isl import OWN, enum_name

RUN = f"{OWN}run"
"""What the names of statements begin with that do nothing, see `run_by_run`."""


def parts(node: isl.AstNode) -> list[isl.AstNode]:
    """The nodes directly below a node, in textual order, but those that do nothing."""
    return [p for p in _children(node) if not is_run(p)]


def _children(node: isl.AstNode) -> list[isl.AstNode]:
    match enum_name(node.get_type()):
        case "block":
            children = node.block_get_children()
            return [children.get_at(k) for k in range(children.n_ast_node())]
        case "for_":
            return [node.for_get_body()]
        case "if_":
            otherwise = [node.if_get_else_node()] if node.if_has_else_node() else []
            return [node.if_get_then_node(), *otherwise]
        case "mark":
            return [node.mark_get_node()]
    return []


def is_run(node: isl.AstNode) -> bool:
    """Whether a node is a call of a statement that does nothing."""
    return enum_name(node.get_type()) == "user" and called(node.user_get_expr()).startswith(RUN)


def called(e: isl.AstExpr) -> str:
    """The name of the statement of a call."""
    return str(e.op_get_arg(0).id_get_id().get_name())


def loop_name(depth: int) -> str:
    """What isl is to call the loops below so many band members: no parameter has such a name."""
    return f"{OWN}{depth}"


def loop_depth(node: isl.AstNode) -> int:
    """How many band members are above the one that a loop of isl's stands for."""
    return int(node.for_get_iterator().id_get_id().get_name().removeprefix(OWN))


def numbered(node: isl.AstNode, number: int) -> isl.AstNode:
    """A call with a number."""
    return node.set_annotation(isl.Id(f"{OWN}{number}"))


def number(node: isl.AstNode) -> int:
    """The number of a call."""
    return int(node.get_annotation().get_name().removeprefix(OWN))


def numbers(node: isl.AstNode) -> Iterator[int]:
    """The numbers of the calls at or below a node, in textual order."""
    if enum_name(node.get_type()) == "user":
        yield number(node)
    for part in parts(node):
        yield from numbers(part)
