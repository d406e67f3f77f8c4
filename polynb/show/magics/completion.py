"""Tab completion: on the lines of our magics options, their choices, programs, their arrays and
parameters; in the programs of our cells, names and words of the language."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from IPython.core.completer import CompletionContext, SimpleCompletion, context_matcher

from polynb.scop.model import Scop
from polynb.show.displays.registry import Option, Script, applicable, with_magics
from polynb.show.magics.arguments import names
from polynb.show.magics.programs import GALLERY, program_names, scop_of
from polynb.show.magics.scripts import FROM, named_program
from polynb.source.functions import MATH_FUNCTIONS
from polynb.source.names import BUILTINS, RESERVED, is_name
from polynb.source.parse import detect
from polynb.source.types import TYPES

TEMP: Final = Option("--temp", {}, of="written")
LANGUAGE: Final = re.compile(r"\s--language(?:\s+|=)[\"']?(scop|c)\b")


def _option(flag: str) -> Option:
    """What can follow an option of a pass."""
    magics = [p.view.magic for p in with_magics().values()]
    known = [o for m in magics if m is not None for o in m.options]
    return next((o for o in (TEMP, *known) if o.flag == flag), Option(flag, {}))


class Matcher:
    """A matcher for IPython's completer; `parsers` are those of the magics, by name."""

    def __init__(self, shell: Any, parsers: Mapping[str, argparse.ArgumentParser]) -> None:
        self._shell = shell
        self._parsers = parsers
        magics = "|".join(map(re.escape, parsers))
        self._line = re.compile(rf"(?:^|=)\s*(?P<sign>%%?)(?P<magic>{magics})\s+(?P<rest>.*)$")
        # IPython drops empty lines before a magic.
        self._cell = re.compile(rf"\s*%%(?P<magic>{magics})(?![\w?-])(?P<line>.*)\n")

    def __call__(self, context: CompletionContext) -> dict[str, Any]:
        cell = self._cell.match(context.full_text)
        lines = 0 if cell is None else cell.group().count("\n")
        if cell is not None and context.cursor_line >= lines:
            script = _script(cell["magic"])
            return (
                _in_program(context, cell)
                if script is None
                else self._in_script(context, script, lines)
            )
        found = self._candidates(context)
        return {
            "completions": [SimpleCompletion(text=t, type="option") for t in found],
            "suppress": bool(found),
        }

    def _in_script(self, context: CompletionContext, script: Script, lines: int) -> dict[str, Any]:
        """What can stand in place of the word at the cursor, in a cell that is a script about the
        program that its first line names, from so many `lines` on."""
        before = context.line_with_cursor[: context.cursor_position]
        start, _, word = before.rpartition(" ")
        text = context.full_text.strip().partition("\n")[0]
        above = "\n".join(context.full_text.split("\n")[lines : context.cursor_line])
        found = script.words(named_program(text, self._shell.user_ns), above, start.strip())
        fitting = [w for w in found if w.startswith(word) and w != word]
        return {
            "completions": [SimpleCompletion(text=w, type="instance") for w in fitting],
            "suppress": bool(fitting),
            "matched_fragment": word,
        }

    def _candidates(self, context: CompletionContext) -> list[str]:
        """What can stand in place of the token (the end of the word at the cursor)."""
        before = context.line_with_cursor[: context.cursor_position]
        match = self._line.search(before)
        if match is None or (match["sign"] == "%%" and context.cursor_line > 0):
            return []
        words = match["rest"].split(" ")
        word, previous = words[-1], [w for w in words[:-1] if w]
        if "=" in word and word.startswith("--"):
            option, _, word = word.partition("=")
            previous.append(option)
        body = context.full_text.partition("\n")[2] if match["sign"] == "%%" else None
        about = vocabulary(previous, body, self._shell.user_ns)
        known = self._known(match["magic"], match["sign"], previous[-1] if previous else "", word)
        known += _names(about, match["magic"], previous[-1] if previous else "", word)
        token = context.token if word.endswith(context.token) else word
        head = len(word) - len(token)
        return [k[head:] for k in known if k.startswith(word) and len(k) > head]

    def _known(self, magic: str, sign: str, previous: str, word: str) -> list[str]:
        actions = self._parsers[magic]._actions
        for action in actions:
            if previous in action.option_strings and action.nargs != 0 and previous != FROM:
                return [str(c) for c in action.choices or ()]
        if word.startswith("-"):
            return [*(o for a in actions for o in a.option_strings), "--help"]
        if sign == "%%" and previous != FROM:
            return []
        from polynb import gallery

        return [*program_names(self._shell.user_ns), *(GALLERY + n for n in gallery.names())]


def _script(magic: str) -> Script | None:
    """What the cell of a magic is, if it is no program."""
    known = with_magics().get(magic)
    return None if known is None or known.view.magic is None else known.view.magic.script


def _in_program(context: CompletionContext, cell: re.Match[str]) -> dict[str, Any]:
    """What can stand in place of the word at the cursor, below a magic's line."""
    before = context.full_text.split("\n")[: context.cursor_line]
    offset = sum(len(line) + 1 for line in before) + context.cursor_position
    said = LANGUAGE.search(cell["line"])
    program = context.full_text[cell.end() :]
    word, found = candidates(program, offset - cell.end(), said[1] if said else None)
    return {
        "completions": [SimpleCompletion(text=c.text, type=c.kind) for c in found],
        "suppress": bool(found),
        "matched_fragment": word,
    }


def _names(about: Vocabulary, magic: str, option: str, word: str) -> list[str]:
    """The names that can stand in place of a word after an option (or after none)."""
    known = _option(option)
    if known.of or known.words:
        names = getattr(about, known.of) if known.of else ()
        return [*_more(word, names), *known.words]
    if option == "--apply":
        return _more(word, applicable())
    if magic == "bench" and not word.startswith("-"):
        return [f"{n}=" for n in (*about.parameters, *about.inputs)]
    return []


def _more(word: str, names: Iterable[str]) -> list[str]:
    """A list with commas, and one more of the names."""
    earlier = word.rpartition(",")[0]
    left = [n for n in names if n not in earlier.split(",")]
    return [f"{earlier},{n}" if earlier else n for n in left]


def matcher(shell: Any, parsers: Mapping[str, argparse.ArgumentParser]) -> Any:
    """The matcher as a function, which is what IPython takes."""
    found = Matcher(shell, parsers)

    def polynb_matcher(context: CompletionContext) -> dict[str, Any]:
        return found(context)

    return context_matcher(identifier="polynb")(polynb_matcher)


# The names that a magic's line can use: the arrays and parameters of the programs it is about; and
# what a word in the program of a cell can become: the program's own names, and its language's.


@dataclass(frozen=True)
class Vocabulary:
    """Names, in the order of the text. `temporaries` are what can be propagated; `inputs` what
    a kernel can be given."""

    written: tuple[str, ...] = ()
    temporaries: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()


def vocabulary(words: Iterable[str], body: str | None, namespace: Mapping[str, Any]) -> Vocabulary:
    """The names of the programs among the words of a line, or of the body of a cell.

    A program of the gallery is not parsed for this, and a cell may not be finished: of texts, only
    what they look like is known.
    """
    found = [] if body is None else [_of_text(body)]
    for word in words if body is None else ():
        if word.startswith(GALLERY):
            found += _of_gallery(word.removeprefix(GALLERY))
            continue
        value = namespace.get(word.partition(".")[0])
        if (scop := scop_of(value)) is not None:
            found.append(_of_scop(scop))
    return Vocabulary(
        *(
            tuple(dict.fromkeys(n for v in found for n in getattr(v, field)))
            for field in ("written", "temporaries", "inputs", "parameters")
        )
    )


def _of_scop(scop: Scop) -> Vocabulary:
    written = {s.write.array for s in scop.statements}
    return Vocabulary(
        tuple(n for n in scop.arrays if n in written),
        scop.temporaries,
        tuple(n for n, a in scop.arrays.items() if a.live_in),
        scop.parameters,
    )


def _of_gallery(name: str) -> list[Vocabulary]:
    from polynb import gallery
    from polynb.errors import PolynbError

    try:
        return [_of_text(gallery.text(name))]
    except PolynbError:
        return []


def _of_text(text: str) -> Vocabulary:
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    iterators = set(re.findall(r"\bfor\s*\(?\s*(?:int\s+)?(\w+)\s*=", text))
    targets = re.findall(r"\b([A-Za-z_]\w*)\s*(?:\[[^;=]*\]\s*)?[-+*/]?=(?!=)", text)
    written = dict.fromkeys(n for n in targets if is_name(n) and n not in iterators)
    declared = " ".join(re.findall(r"\btemp\b([^;]*);", text))
    temporaries = dict.fromkeys(re.findall(r"[A-Za-z_]\w*", re.sub(r"\[.*?\]", "", declared)))
    cells = dict.fromkeys(re.findall(r"\b([A-Za-z_]\w*)\s*\[", text))
    parameters = ",".join(re.findall(r"\bparam\b([^;]*);", text))
    return Vocabulary(
        tuple(written),
        tuple(n for n in temporaries if is_name(n)),
        tuple(n for n in cells if n not in written),
        names(parameters),
    )


# -- in the program of a cell ------------------------------------------------------------------

C_TYPES: Final[tuple[str, ...]] = (
    "char",
    "double",
    "float",
    "int",
    "long",
    "short",
    "unsigned",
    "void",
)
C_KEYWORDS: Final[tuple[str, ...]] = ("const", "else", "for", "if", "restrict", "return", "static")

_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_LABEL = re.compile(r"//[ \t]*([A-Za-z_]\w*)[ \t]*$", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*\Z|(?<![\w.])\Z")


class Candidate(NamedTuple):
    """A word, and what it is, as JupyterLab's menu shows it."""

    text: str
    kind: str


def candidates(program: str, offset: int, language: str | None) -> tuple[str, list[Candidate]]:
    """The word that ends at an offset of a program, and what can stand in its place.

    The program may be unfinished: of its names, only what they look like is known. Where no word
    has begun, only these are offered; in comments, the labels of statements too.
    """
    found = _WORD.search(program[:offset])
    if found is None:
        return "", []
    word = found.group()
    others = program[: found.start()] + " " * len(word) + program[offset:]
    in_comment = any(m.start() < found.start() < m.end() for m in _COMMENT.finditer(others + "\n"))
    if in_comment and not word:
        return "", []
    language = language or detect(program)
    known = list(_own(others, language))
    if in_comment:
        known += [Candidate(label, "statement") for label in _LABEL.findall(others)]
    elif word:
        known += _of_language(language)
    fitting = {c.text: c for c in reversed(known) if c.text.startswith(word) and c.text != word}
    return word, list(reversed(fitting.values()))


def _own(program: str, language: str) -> Iterator[Candidate]:
    """The names of a program, in the order of the text."""
    code = _COMMENT.sub(" ", program)
    taken = RESERVED
    if language == "c":
        code, taken = _DIRECTIVE.sub("", code), frozenset({*C_TYPES, *C_KEYWORDS})
    for found in _NAME.finditer(code):
        name, after = found.group(), code[found.end() :].lstrip()[:1]
        if name not in taken and not (language == "scop" and after == ":" and _begins(code, found)):
            yield Candidate(name, "function" if after == "(" else "instance")


def _begins(code: str, found: re.Match[str]) -> bool:
    """Whether a statement can begin here, so that a name before a colon is its label."""
    before = code[: found.start()].rstrip()
    return re.search(r"(?:\A|;|\b(?:do|then|else|done|fi))\Z", before) is not None


def _of_language(language: str) -> Iterator[Candidate]:
    if language == "c":
        keywords, types, functions = C_KEYWORDS, C_TYPES, tuple(MATH_FUNCTIONS)
    else:
        types, functions = tuple(TYPES), (*BUILTINS, *MATH_FUNCTIONS)
        keywords = tuple(sorted(RESERVED.difference(types, BUILTINS)))
    yield from (Candidate(k, "keyword") for k in keywords)
    yield from (Candidate(t, "class") for t in types)
    yield from (Candidate(f, "function") for f in functions)
