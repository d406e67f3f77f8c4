"""Tab completion: on the lines of our magics options, their choices, programs, their arrays and
parameters; in the programs of our cells, names and words of the language."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from IPython.core.completer import CompletionContext, SimpleCompletion, context_matcher

from polynb.show.displays.registry import Option, Script, applicable, with_magics
from polynb.show.magics.programs import GALLERY, program_names
from polynb.show.magics.scripts import FROM, named_program
from polynb.show.magics.vocabulary import Vocabulary, candidates, vocabulary

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
