"""Cells where there is no kernel: what a live page runs, and what it shows of it.

The magics are IPython's as everywhere. Of IPython itself only what reads cells and lines is loaded
(`core.magic`, `core.inputtransformer2`), which takes a tenth of the time that all of it takes; the
shell is this one.
"""

from __future__ import annotations

import ast
import contextlib
import errno
import html
import importlib.util
import io
import re
import sys
import traceback
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

Output = dict[str, Any]
"""A display, by MIME type; `text/html` and `text/plain`, and the trace that a stepper plays."""

Tell = Callable[[int, dict[str, Any]], object]
TRACE: Final = "trace"
WIDGETS: Final = "widgets"
FIRST: Final = "text/html"
ERROR: Final = "error"
"""Beside the text of a failure: what it says, by which its place in the cell is found."""
MISSING: Final = "missing"
"""Beside the text of a failure: a sentence on what the cell needs and a page has not."""

_TOKEN: Final = re.compile(r"[ \t\n`!@#$^&*()=+\[{\]}\\|;:'\",<>?]")  # ends one, as for IPython


@dataclass(frozen=True)
class CellCursor:
    """Where something is to be completed, as IPython's completer tells matchers of it."""

    full_text: str
    cursor_line: int
    cursor_position: int

    @property
    def line_with_cursor(self) -> str:
        return self.full_text.split("\n")[self.cursor_line]

    @property
    def token(self) -> str:
        return _TOKEN.split(self.line_with_cursor[: self.cursor_position])[-1]


@dataclass(eq=False)
class Session:
    """The variables of a page, and what its cells showed. `kernel` says to displays that somebody
    is there to step."""

    user_ns: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    magics: dict[str, dict[str, Any]] = field(default_factory=lambda: {"line": {}, "cell": {}})
    kernel: str = "page"
    shown: list[Output] = field(default_factory=list)

    @property
    def user_global_ns(self) -> dict[str, Any]:
        return self.user_ns

    def run(self, cell: str) -> list[Output]:
        """What a cell shows, with what it prints and how it fails."""
        self.shown = []
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            try:
                self._run(cell)
            except BaseException as error:
                self.shown.append(failure(error))
        if text := printed.getvalue():
            self.shown.insert(0, {"text/plain": text})
        return [output for output in self.shown if output]

    def completed(self, before: str, after: str) -> dict[str, Any]:
        """What can stand in place of the end of the text `before` the cursor, as polynb's own
        completion has it: `word` is that end, `words` have a text and a kind."""
        from polynb.show.magics.completion import Matcher

        parsers = {n: m.parser for n, m in self.magics["line"].items() if hasattr(m, "parser")}
        place = CellCursor(before + after, before.count("\n"), len(before.rpartition("\n")[2]))
        found = Matcher(self, parsers)(place)
        words = [{"text": c.text, "kind": c.type} for c in found["completions"]]
        return {"word": found.get("matched_fragment", place.token), "words": words}

    def _run(self, cell: str) -> None:
        """The statements of a cell; what its last expression gives is shown, and is `_`."""
        tree = ast.parse(self._plain(cell), "<cell>")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "<cell>", "exec"), self.user_ns)
        if isinstance(last, ast.Expr):
            found = eval(compile(ast.Expression(last.value), "<cell>", "eval"), self.user_ns)
            magic = cell.lstrip().startswith("%%")  # whose program may end so
            silent = cell.rstrip().endswith(";") and not magic
            if found is not None and not silent:
                self.user_ns["_"] = found
                self.shown.append(displayed(found))

    def _plain(self, cell: str) -> str:
        from IPython.core.inputtransformer2 import TransformerManager

        from polynb.show.magics.extension import with_a_body

        manager = TransformerManager()
        manager.cleanup_transforms.insert(0, with_a_body)
        return str(manager.transform_cell(cell))

    def run_line_magic(self, name: str, line: str, **_: Any) -> Any:
        """`%name line`."""
        return self._magic("line", f"%{name}", name)(line)

    def run_cell_magic(self, name: str, line: str, cell: str) -> Any:
        """`%%name line`, and the cell."""
        return self._magic("cell", f"%%{name}", name)(line, cell)

    def _magic(self, kind: str, said: str, name: str) -> Any:
        from polynb.errors import PolynbError

        if name == "pinfo":
            return self._help
        if name == "load_ext":
            return lambda line: None
        if name not in self.magics[kind]:
            known = ", ".join(sorted(self.magics[kind]))
            raise PolynbError(f"there is no {said} on this page", hint=f"one of {known}")
        return self.magics[kind][name]

    def _help(self, line: str) -> None:
        name = line.lstrip("%")
        magic = self.magics["line"].get(name) or self.magics["cell"].get(name)
        self.shown.append({"text/plain": str(getattr(magic, "__doc__", f"no help on {line}"))})


class Shown:
    """A display that may change, as progress does."""

    def __init__(self, all_: list[Output], output: Output) -> None:
        self._output = output
        all_.append(output)

    def update(self, output: Output, raw: bool = True) -> None:
        """It shows this instead."""
        self._output.clear()
        self._output |= output


def displayed(x: Any) -> Output:
    """What shows an object, as Jupyter asks for it."""
    from polynb.show.page_widgets import widgets_of

    if models := widgets_of(x):
        return {WIDGETS: models, "text/plain": repr(x)}
    shows = type(x) if isinstance(x, type) else x  # the methods of a class are its instances'
    bundle = getattr(shows, "_repr_mimebundle_", None)
    if bundle is None:
        markup = getattr(shows, "_repr_html_", lambda: None)()
        return {"text/plain": repr(x)} | ({FIRST: markup} if markup is not None else {})
    return _unpacked(bundle(include=None, exclude=None))


def _unpacked(bundle: Mapping[str, Any]) -> Output:
    """A display whose trace, if it has one, is ready to be played."""
    from polynb.show.trace import saved

    shown = {k: v for k, v in bundle.items() if k in (FIRST, "text/plain")}
    if saved.MIME in bundle:
        shown[TRACE] = saved.read(bundle[saved.MIME])
    return shown


def failure(error: BaseException) -> Output:
    """What a cell shows that fails: polynb's errors in their words, others with their lines."""
    own = getattr(error, "_render_traceback_", None)
    lines = own() if own is not None else traceback.format_exception(_from_the_cell(error))
    text = "\n".join(line.rstrip("\n") for line in lines)
    shown = {"text/plain": text, FIRST: f'<pre class="polynb-error">{html.escape(text)}</pre>'}
    shown |= {ERROR: said} if (said := str(error)) else {}
    return shown | ({MISSING: said} if (said := _missing(error)) else {})


def _missing(error: BaseException) -> str:
    """What of a notebook's machine a page has not, if that is why a cell fails."""
    from polynb.errors import Missing

    if isinstance(error, Missing):
        return error.message
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"there is no {error.name.partition('.')[0]} here"
    if isinstance(error, OSError) and error.errno == errno.ENOTSUP:
        return "no other program can be started here"
    return ""


def _from_the_cell(error: BaseException) -> BaseException:
    """Without the lines of this file that led there."""
    place, here = error.__traceback__, _from_the_cell.__code__.co_filename
    while place is not None and place.tb_frame.f_code.co_filename == here:
        place = place.tb_next
    return error.with_traceback(place)


def session(tell: Tell = lambda number, traits: None) -> Session:
    """A new session, which is the one that displays ask for. `tell` hears what changes in widgets
    that are shown."""
    from polynb.show.page_widgets import install

    made = Session()
    _without_the_rest(made)
    install(tell)
    from polynb.show.magics.magics import PolynbMagics
    from polynb.show.magics.passes import pass_magics

    for magics in (PolynbMagics(made), pass_magics()(made)):
        for kind in made.magics:
            made.magics[kind] |= magics.magics[kind]
    exec("import polynb as pn", made.user_ns)
    return made


def _without_the_rest(made: Session) -> None:
    """IPython without what its own `__init__` loads."""
    spec = importlib.util.find_spec("IPython")
    (place,) = (spec and spec.submodule_search_locations) or ("",)
    for name, folder in {"IPython": place, "IPython.core": f"{place}/core"}.items():
        module: Any = types.ModuleType(name)
        module.__path__, module.get_ipython = [folder], lambda: made
        sys.modules[name] = module
    display: Any = types.ModuleType("IPython.display")
    display.display = lambda x, raw=False, **_: Shown(made.shown, x if raw else displayed(x))
    sys.modules["IPython.display"] = display
    completer: Any = types.ModuleType("IPython.core.completer")
    completer.CompletionContext, completer.SimpleCompletion = CellCursor, types.SimpleNamespace
    completer.context_matcher = lambda **_: lambda matcher: matcher
    sys.modules["IPython.core.completer"] = completer
    made.user_ns["get_ipython"] = lambda: made
