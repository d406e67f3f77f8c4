"""Random subsets of temporaries."""

from polynb.tuning import subsets

NAMES = [f"t{k}" for k in range(10)]


def test_as_many_of_each_size_as_asked_for_all_different():
    found = subsets(NAMES, each=12, seed=1)
    sizes = [len(s) for s in found]
    assert sizes == sorted(sizes)
    assert {k: sizes.count(k) for k in set(sizes)} == {
        1: 10,
        **dict.fromkeys(range(2, 9), 12),
        9: 10,
        10: 1,
    }
    assert len(set(found)) == len(found)
    assert all(list(s) == sorted(s, key=NAMES.index) for s in found)


def test_where_there_are_few_all_of_them():
    assert subsets(["a", "b"], each=31) == (("a",), ("b",), ("a", "b"))


def test_the_seed_decides():
    assert subsets(NAMES, each=5, seed=3) == subsets(NAMES, each=5, seed=3)
    assert subsets(NAMES, each=5, seed=3) != subsets(NAMES, each=5, seed=4)


def test_no_larger_than_asked_for():
    assert {len(s) for s in subsets(NAMES, each=2, largest=3)} == {1, 2, 3}
    assert subsets(()) == ()
