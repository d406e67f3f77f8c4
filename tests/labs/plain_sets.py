"""isl's notation, evaluated at points by Python's own arithmetic: no isl is asked.

`exists` is tried from -LIMIT to LIMIT.
"""

import re
from itertools import product

LIMIT = 30
ISL = re.compile(r"\s*(?:(\d+)|([A-Za-z_]\w*'?)|(->|<=|>=|!=|//|[-+*/(){}\[\],:;=<>%]))")


def parts(text):
    """(tuples, condition) of each part of a text: `[("S", ["i", "j"])]`, `0 <= i < N`."""
    inside = text[text.index("{") + 1 : text.rindex("}")]
    for part in inside.split(";"):
        if not part.strip():
            continue
        head, _, condition = part.partition(":")
        tuples = [
            (name, [d.strip() for d in dims.split(",") if d.strip()])
            for name, dims in re.findall(r"(\w*)\s*\[([^\]]*)\]", head)
        ]
        yield tuples, condition.strip() or "true"


def holds(condition, values):
    return bool(value_of(condition, values))


def contains(text, points, parameters):
    """Whether a set or relation has a point: `[("S", (0, 1))]` or `[("S", (0,)), ("T", (1,))]`."""
    for tuples, condition in parts(text):
        if [(n, len(d)) for n, d in tuples] != [(n, len(p)) for n, p in points]:
            continue
        known, equal = dict(parameters), []
        for (_, dims), (_, point) in zip(tuples, points, strict=True):
            for dim, value in zip(dims, point, strict=True):
                if re.fullmatch(r"[A-Za-z_]\w*'?", dim) and dim.replace("'", "_") not in known:
                    known[dim.replace("'", "_")] = value
                else:
                    left, _, right = dim.partition("=")
                    if right and left.strip() not in known:
                        known[left.strip()] = value
                    equal.append((right or left, value))
        if all(value_of(e, known) == v for e, v in equal) and holds(condition, known):
            return True
    return False


def images(text, point, parameters):
    """The targets of a point `("S", (0, 1))` in a relation whose targets are formulas."""
    for tuples, condition in parts(text):
        (name, dims), (_, formulas) = tuples
        if name == point[0] and len(dims) == len(point[1]):
            known = {**parameters, **dict(zip(dims, point[1], strict=True))}
            if holds(condition, known):
                yield tuple(value_of(f, known) for f in formulas)


def value_of(expression, values):
    return eval(translated(expression), {"floor": _floor, "some": _some, **values})


def translated(text):
    text = text.replace("'", "_").replace("<<", "<").replace(">>", ">")
    found = re.search(r"\bexists\s+(\w+)\s*:", text)
    if found:
        before, after = text[: found.start()], text[found.end() :]
        return f"{translated(before)} some(lambda {found[1]}: {translated(after)})".strip()
    text = re.sub(r"(?<![<>!=])=(?!=)", "==", text)
    text = re.sub(r"\bmod\b", "%", text)
    text = re.sub(r"(\d)\s*([A-Za-z_(])", _times, text)
    text = re.sub(r"\btrue\b", "True", text)
    return text.replace("/", "//").strip()


def _times(found):
    rest = found.string[found.start(2) :]
    if re.match(r"(and|or|not)\b", rest):
        return f"{found[1]} {found[2]}"
    return f"{found[1]}*{found[2]}"


def _floor(x):
    return x


def _some(predicate):
    names = predicate.__code__.co_argcount
    return any(predicate(*v) for v in product(range(-LIMIT, LIMIT + 1), repeat=names))
