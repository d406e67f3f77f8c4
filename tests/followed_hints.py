"""Every way out that a test sees is taken: a fix is made, and a line to type is typed.

The whole test suite is watched (conftest.py): every PolynbError that says how to change the text,
and, in tests with a notebook, every display that says what to type next. What a test saw is
followed when it ends, once in a process. Words that are no line and no change are not followed.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from polynb.errors import Edit, PolynbError, edited
from polynb.scop.build import build
from polynb.show import bundle
from polynb.source.parse import parse_program

MOST = 40  # fixes of one test
LANGUAGES = ("scop", "c")


@dataclass
class Watch:
    """What was seen since it was last looked at, and what was followed before."""

    errors: list[PolynbError] = field(default_factory=list)
    followed: set[tuple[str, ...]] = field(default_factory=set)
    asleep: bool = False

    @contextmanager
    def errors_noted(self) -> Iterator[None]:
        built = PolynbError.__init__

        def noted(error: PolynbError, *args: Any, **kwargs: Any) -> None:
            built(error, *args, **kwargs)
            if error.fix and not self.asleep:
                self.errors.append(error)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(PolynbError, "__init__", noted)
            yield

    @contextmanager
    def following(self) -> Iterator[list[PolynbError]]:
        """The errors of this test that were not followed before; nothing is noted meanwhile."""
        seen, self.errors = self.errors, []
        new = []
        for error in seen:
            key = (error.message, error.fix[0].span.source.text, edited(error.fix))
            if key not in self.followed:
                self.followed.add(key)
                new.append(error)
        self.asleep = True
        try:
            yield new
        finally:
            self.asleep = False


WATCH = Watch()


# -- programs ----------------------------------------------------------------------------------


def error_of(text: str, language: str) -> PolynbError | None:
    """What is wrong with a program, None if nothing is."""
    try:
        build(parse_program(text, language))
    except PolynbError as error:
        return error
    return None


def unhelpful(error: PolynbError) -> Iterator[str]:
    """Why the fix of an error is none: the text has it still, or the hint does not say it."""
    before, after = error.fix[0].span.source.text, edited(error.fix)
    if before == after:
        yield f"{error}\nthe fix changes nothing"
    if not _says(error.hint or "", error.fix):
        yield f"{error}\nthe hint does not say the fix: {[e.text for e in error.fix]}"
    if before.startswith("%"):
        return  # a line of a notebook: `Notebook` types it
    longer = max(len(after) - len(before), 0)
    for language in LANGUAGES:
        now = error_of(before, language)
        if now is None or now.message != error.message or now.span is None:
            continue
        then = error_of(after, language)
        again = then is not None and then.message == now.message and then.span is not None
        if again and then.span.start <= now.span.start + longer:
            yield f"{error}\nthe same error after the fix:\n{after}"


def _says(hint: str, fix: tuple[Edit, ...]) -> bool:
    """Whether a hint has the words that are put into the text, or says what else is done: something
    left out, a word or a sign at the place that is marked."""
    plain = re.sub(r"\s+", "", hint)
    return all(
        len(text) <= 2 or text in plain or text.isidentifier()
        for e in fix
        if (text := re.sub(r"\s+", "", e.text).strip(",;"))
    )


# -- a notebook --------------------------------------------------------------------------------


@dataclass
class Notebook:
    """The cells that a test ran, and what was displayed, with the variables there were."""

    shell: Any
    cells: list[str] = field(default_factory=list)
    shown: list[tuple[Any, str, dict[str, Any]]] = field(default_factory=list)

    def note(self, patch: pytest.MonkeyPatch) -> None:
        run, show = self.shell.run_cell, bundle.mimebundle

        def run_cell(cell: str, *args: Any, **kwargs: Any) -> Any:
            self.cells.append(cell)
            return run(cell, *args, **kwargs)

        def mimebundle(x: Any) -> dict[str, Any]:
            made: dict[str, Any] = show(x)
            self.shown.append((x, made["text/plain"], dict(self.shell.user_ns)))
            return made

        patch.setattr(self.shell, "run_cell", run_cell)
        patch.setattr(bundle, "mimebundle", mimebundle)

    def follow(self, errors: list[PolynbError]) -> Iterator[str]:
        """What does not work of the lines that were proposed."""
        for x, text, variables in self.shown:
            for line in re.findall(r"^next: (.*)$", text, re.MULTILINE):
                key = ("next", re.sub(r"\d+", "0", line), text)
                if key not in WATCH.followed:
                    WATCH.followed.add(key)
                    yield from self._typed(line, {**variables, "_": x})
        for error in errors:
            source = error.fix[0].span.source.text
            for cell in self.cells:
                first, *body = cell.split("\n")
                if source.startswith("%") and first.strip() == source.strip():
                    yield from self._typed("\n".join([edited(error.fix), *body]), {}, error.message)

    def _typed(
        self, cell: str, variables: Mapping[str, Any], message: str | None = None
    ) -> Iterator[str]:
        """A line that fails; after an error, one that fails in the same way."""
        self.shell.user_ns.update(variables)
        result = self.shell.run_cell(quick(cell), silent=True)
        error = result.error_before_exec or result.error_in_exec
        if error is not None and (message is None or getattr(error, "message", "") == message):
            yield f"{cell}\n{type(error).__name__}: {error}"


def quick(cell: str) -> str:
    """The same cell, on less data and once: how long it takes is not what is tested."""
    first, *body = cell.split("\n")
    if re.match(r"(\w+ = )?%%?bench", first):
        first = re.sub(r"=\d{4,}", "=200", first)
        first += "" if "--rounds" in first else " --rounds 1"
    return "\n".join([first, *body])
