"""Expressions are DAGs: what is shared counts, and is visited, once."""

from polynb.codegen.sharing import tree_size
from polynb.source.tree import Access, Binary, Call, Iterator, rebuild, walk, with_children


def doubled(times: int) -> Binary | Access:
    e: Binary | Access = Access("A", (Iterator("i"),))
    for _ in range(times):
        e = Binary("+", e, e)
    return e


def test_the_size_of_a_dag_is_its_nodes_not_its_text():
    e = doubled(100)
    assert len(list(walk(e))) == 102
    assert tree_size(e) == 3 * 2**100 - 1


def test_rebuilding_keeps_the_sharing():
    e = doubled(50)
    renamed = rebuild(
        e, lambda x, new: Access("B", new) if isinstance(x, Access) else with_children(x, new)
    )
    assert len(list(walk(renamed))) == len(list(walk(e)))
    assert rebuild(e, with_children) is e


def test_nodes_are_folded_once_each_left_to_right():
    i, j = Iterator("i"), Iterator("j")
    cell = Access("A", (i,))
    e = Binary("-", Binary("+", Binary("*", cell, j), cell), i)
    seen = []
    done = {}
    rebuild(e, lambda x, _: seen.append(x), done)
    assert seen == [i, cell, j, e.left.left, e.left, e]
    assert done.keys() == set(map(id, seen))


def test_new_children_leave_the_rest_as_it_is():
    i, j = Iterator("i"), Iterator("j")
    call = Call("f", (i, i))
    assert with_children(call, (i, i)) is call
    new = with_children(call, (i, j))
    assert isinstance(new, Call)
    assert new.function == "f"
    assert new.arguments == (i, j)
