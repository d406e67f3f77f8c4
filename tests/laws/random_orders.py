"""Random orders of execution of a program: many of them legal, many not."""

from dataclasses import replace
from random import Random

from polynb import isl
from polynb.scop.schedule import Band, Sequence, transform, walk, with_kinds
from polynb.scop.tree_walk import rewrite


def random_order(scop, random: Random):
    """A schedule: a tree whose loops are turned around or whose parts change places, or times."""
    return random.choice([tree_order, tree_order, times_order])(scop, random)


def tree_order(scop, random: Random):
    few = random.random()

    def change(node):
        if random.random() < few:
            return node
        match node:
            case Band(depth=1):
                return shifted(node, random)
            case Sequence(children=c) if random.random() < 0.3:
                k = random.randrange(len(c) - 1)
                return replace(node, children=(*c[:k], c[k + 1], c[k], *c[k + 2 :]))
        return node

    return transform(scop.schedule, change)


def shifted(band: Band, random: Random) -> Band:
    """All statements the other way around, or some of them later or earlier."""
    if random.random() < 0.5:
        return moved(band, "{ [t] -> [-t] }", band.members)
    some = [n for n in band.members if random.random() < 0.5]
    return moved(band, random.choice(["{ [t] -> [t + 1] }", "{ [t] -> [t - 1] }"]), some)


def moved(band: Band, change: str, names) -> Band:
    by = isl.Map(change)
    members = {n: m.apply_range(by) if n in names else m for n, m in band.members.items()}
    return replace(band, members=members)


def times_order(scop, random: Random) -> str:
    """Times with the loops in another order, the same for all statements (mostly), in the text's
    order inside; what is in fewer loops comes before, or after, what is in more."""
    iterators = max((s.iterators for s in scop.statements), key=len)
    order = list(iterators)
    if random.random() < 0.7:
        random.shuffle(order)
    sign = {i: "-" if random.random() < 0.12 else "" for i in order}
    distributed = random.random() < 0.25
    places = list(range(len(scop.statements)))
    if random.random() < 0.3 and len(places) > 1:
        k = random.randrange(len(places) - 1)
        places[k], places[k + 1] = places[k + 1], places[k]
    deepest = max(len(s.iterators) for s in scop.statements)
    first = next(k for k, s in enumerate(scop.statements) if len(s.iterators) == deepest)
    maps = []
    for k, s in enumerate(scop.statements):
        early = "-N - 5" if places[k] < first else "N + 5"
        time = [f"{sign[i]}{i}" if i in s.iterators else early for i in order]
        time = [str(places[k] if distributed else 0), *time, str(places[k])]
        maps.append(f"{s.name}[{', '.join(s.iterators)}] -> [{', '.join(time)}]")
    return f"[{', '.join(scop.parameters)}] -> {{ {'; '.join(maps)} }}"


def random_parallel(tree, random: Random):
    """The tree with one of its loops, or two, to run in parallel."""
    bands = [t for t in walk(tree) if isinstance(t, Band)]
    chosen = {id(b) for b in random.sample(bands, min(len(bands), random.randint(1, 2)))}

    def change(node):
        return with_kinds(node, ["parallel"] * node.depth) if id(node) in chosen else node

    def outer(node):
        new = change(node)
        return None if new is node else replace(new, child=rewrite(new.child, outer))

    return rewrite(tree, outer)


def random_kills(scop, random: Random):
    """Cells that some statement destroys: what it reads, or what it writes."""
    s = random.choice(scop.statements)
    access = random.choice([*s.reads, s.write])
    return isl.union_map([access.relation]) if random.random() < 0.35 else None
