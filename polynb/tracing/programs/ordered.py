"""What of a loop can be seen from outside: accesses of volatile variables (those of a device, say),
and that the program ends in a function that it calls.

The compiler's hooks do not tell of it, so this is read in the text.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from polynb.tracing.library import library_call
from polynb.tracing.programs.keeping import ASM
from polynb.tracing.programs.leaving import FAR
from polynb.tracing.programs.texts import Text
from polynb.tracing.programs.tokens import words_at
from polynb.tracing.programs.ways import LoopText

VOLATILE: Final = "volatile"


def in_order(loop: LoopText) -> str:
    """Which volatile variable a loop accesses, or a function that it calls, in words; "" for none.
    (A cast may say that what is accessed is one.)"""
    names = frozenset(n for text in loop.texts.texts for n in volatiles(text))
    for _, text, first, end in loop.parts if names else ():
        tokens = words_at(text)[0]
        for k in range(first, min(end, len(tokens))):
            word, line = tokens[k]
            if word in names and not (k and word == VOLATILE and tokens[k - 1][0] in ASM):
                which = "what is accessed" if word == VOLATILE else f"`{word}`"
                return f"{which} (line {line}) is volatile: its order is seen from outside"
    return ""


def ended_in(loop: LoopText) -> str:
    """Which function that a loop calls may end the program, or the loop, in words; "" for none: no
    later iteration runs then. (What the loop's own text does, `leaving` finds.)"""
    for body in loop.called.values():
        tokens = words_at(body.text)[0]
        for word, line in tokens[body.first : body.end]:
            known = library_call(word)
            if word in FAR or (known is not None and known.ends):
                return f"`{word}` (line {line}), in {body.name}, may leave it"
    return ""


@lru_cache(maxsize=64)
def volatiles(text: Text) -> frozenset[str]:
    """The word itself, and the names that are declared by it in a text; nothing where there is
    none."""
    tokens, _ = words_at(text)
    found = set[str]()
    for k, (word, _) in enumerate(tokens):
        if word == VOLATILE and not (k and tokens[k - 1][0] in ASM):
            found.add(word)
            for j in range(k + 1, len(tokens) - 1):
                if tokens[j][0] in (";", "{", "}", "(", ")"):
                    break
                if tokens[j][0].isidentifier() and tokens[j + 1][0] in ("=", ";", ",", "[", ")"):
                    found.add(tokens[j][0])
    return frozenset(found)
