"""What an assignment writes, or gathers in, as its text says: `s` of `s += a[i]`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from polynb.tracing.library import library_call
from polynb.tracing.records import Instruction

UPDATE: Final = re.compile(r"(?P<place>[^=<>!]+?) (?:\+|-|\*|\||&|\^)= (?P<rest>[^=].*)")
STEP: Final = re.compile(r"(?:\+\+|--)(?P<a>[^+-]+)|(?P<b>[^+-]+)(?:\+\+|--)")
WRITTEN: Final = re.compile(
    r"(?P<place>[^=<>!]+?) = (?P=place) (?P<op>[+*|&^-]) (?P<rest>[^=<>?]+)"
)
LOGICAL: Final = re.compile(
    r"(?P<place>[^=<>!]+?) = (?P=place) (?:&&(?P<a>(?:(?!\|\|)[^?])+)|\|\|(?P<b>(?:(?!&&)[^?])+))"
)
ASKED: Final = re.compile(r"(.+?) [<>]=? (.+)")
EXTREME: Final = re.compile(
    r"(?P<place>[^=<>!]+?) = (?:"
    r"\(?(?P<a>[^?]+?) [<>]=? (?P<b>[^?]+?)\)? \? (?P<c>.+) : (?P<d>.+)"
    r"|f(?:max|min)f?\((?P<e>[^,]+), (?P<f>[^,]+)\))"
)
ADDING: Final = ("+", "-")
SPACED: Final = re.compile(
    r"\s*((?:<<|>>|[-+*/%&|^])=|[=<>!]=|[=?:,]|<(?![<=])|(?<![->])>(?![>=])"
    r"|(?<=[\w)\]])\s*(?:[+*|&^]|-(?!>)))\s*"
)
ASSIGNING: Final = re.compile(r"(?<![=<>!])(?:<<|>>|[-+*/%&|^])?=(?!=)|\+\+|--")
HEADS: Final = re.compile(r"\b(?:for|while|if|switch)\s*(?=\()")
TARGET: Final = re.compile(r"(?:.*?[\s*])?(\w+)\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)|(\w+)\s*(?:\+\+|--)$")
ATOMIC: Final = ("__", "atomic_", "fetch_", "exchange", "compare_exchange")
"""What calls begin with that a compiler does in place, which write what they are given."""
CALLED: Final = re.compile(r"\b([A-Za-z_]\w*)\s*\(")


def accumulated(text: str) -> str | None:
    """The place that an assignment gathers in (`s` of `s += a[i]`), whose new value is made of the
    old one by an associative operation, and of what does not know it."""
    text = _spaced(text)
    if found := STEP.fullmatch(text):
        return found["a"] or found["b"]
    if found := UPDATE.fullmatch(text):
        return found["place"] if names_apart(found["place"], found["rest"]) else None
    if found := WRITTEN.fullmatch(text):
        alone = found["op"] in ADDING or re.fullmatch(r"[\w.\[\]]+", found["rest"])
        bitwise = re.search(r"[|&^]|<<|>>", found["rest"])
        apart = alone and not bitwise and names_apart(found["place"], found["rest"])
        return found["place"] if apart else None
    if found := LOGICAL.fullmatch(text):
        rest = found["a"] or found["b"]
        return found["place"] if names_apart(found["place"], rest) else None
    largest = extreme(text)
    return None if largest is None else largest[0]


def extreme(text: str) -> tuple[str, str] | None:
    """The place that an assignment gathers the largest or the smallest in, and the value that it
    may take."""
    if (found := EXTREME.fullmatch(_spaced(text))) is None:
        return None
    place, sides = found["place"], {found["e"] or found["a"], found["f"] or found["b"]}
    results = sides if found["e"] else {found["c"], found["d"]}
    others = sides - {place}
    if len(others) != 1 or len(sides) != 2 or sides != results:
        return None
    value = others.pop()
    return (place, value) if names_apart(place, value) else None


def _spaced(statement: str) -> str:
    """With a space on both sides of an operator that takes two."""
    found = SPACED.sub(lambda m: f" {m[1].strip()} ", statement).replace(" , ", ", ")
    found = re.sub(r"([|&]) \1", r"\1\1", found)
    return re.sub(r" ([-+]) \1 ?", r"\1\1", found).strip()


def names_apart(place: str, rest: str) -> bool:
    """Whether an expression does not name what is gathered, nor is cut."""
    name = base_of(place)
    return name != "" and "…" not in rest and not re.search(rf"\b{name}\b", rest)


def base_of(place: str) -> str:
    """The name that a place begins with."""
    found = re.match(r"[\s*(&]*(\w+)", place)
    return "" if found is None else found[1]


def gathered_in(line: str) -> str | None:
    """What a line gathers in, if that is all that it assigns, and if nothing else that it says
    reads that, nor calls what keeps a state."""
    if (only := _only(line)) is None:
        return None
    heads, statement, rest = only
    place = accumulated(statement) if not statement.startswith("return") else None
    if place is None and (asked := _asked(heads, statement)):
        heads, place = "", asked[0]
    if place is None or len(ASSIGNING.findall(statement)) != 1:
        return None
    if any(_keeps(name) for name in CALLED.findall(line)):
        return None
    return place if names_apart(place, heads) and names_apart(place, rest) else None


def extreme_in(line: str) -> tuple[str, str] | None:
    """The place of an extreme that a line gathers, and the value that it may take."""
    if (only := _only(line)) is None:
        return None
    heads, statement, _ = only
    return extreme(statement) or _asked(heads, statement)


def _only(line: str) -> tuple[str, str, str] | None:
    """The heads in a line, the one statement that assigns, and what else stands there."""
    heads, rest = _without_heads(line)
    written = [s for s in re.split(r"(?<=;)|[{}]", rest) if ASSIGNING.search(s)]
    if len(written) != 1 or not written[0].rstrip().endswith(";"):
        return None
    statement = re.sub(r"^\s*(?:else\b)?\s*", "", written[0]).rstrip().removesuffix(";")
    return heads, statement, rest.replace(written[0], " ", 1)


def _asked(heads: str, statement: str) -> tuple[str, str] | None:
    """The same of `if (a[i] > most) most = a[i];`."""
    asked = ASKED.fullmatch(_spaced(heads.strip().removeprefix("(").removesuffix(")")))
    place, assigns, value = _spaced(statement).partition(" = ")
    if asked is None or not assigns or {*asked.groups()} != {place, value}:
        return None
    return (place, value) if names_apart(place, value) else None


def _keeps(name: str) -> bool:
    """Whether a function of the library, or of the compiler, does more than read what it is given,
    as far as is known."""
    call = library_call(name)
    if call is None:
        return name.startswith(ATOMIC)
    return not (replace(call, touched=()).pure and not any(t.writes for t in call.touched))


def _without_heads(line: str) -> tuple[str, str]:
    """The heads of loops and conditions in a line, and the rest."""
    heads = ""
    while found := HEADS.search(line):
        k, depth = found.end(), 0
        while k < len(line):
            depth += (line[k] == "(") - (line[k] == ")")
            k += 1
            if not depth:
                break
        heads, line = f"{heads} {line[found.end() : k]}", line[: found.start()] + line[k:]
    return heads, line


def variable_of(i: Instruction) -> str | None:
    """The variable that an operation or move gives a value, `sum` of `sum += x`; None where its
    text names none."""
    if i.kind in ("load", "store"):
        return None
    if i.variable:
        return i.variable
    found = TARGET.match(i.text)
    return None if found is None else found[1] or found[2]
