"""The magics of the registered passes, and the passes that `%bench x --apply propagate` names."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from IPython.core.magic import magics_class
from IPython.core.magic_arguments import argument
from IPython.display import display

from polynb.derivation import Derivation, Pass
from polynb.show.displays.registry import Option, PassMagic, applicable, with_magics
from polynb.show.magics.arguments import MagicLine, names, unknown
from polynb.show.magics.programs import Program
from polynb.show.magics.progress import Progress, watched
from polynb.show.magics.running import PROGRAM, Called, ProgramMagics, magic
from polynb.show.magics.scripts import script_magic

CLASS: Final = "PassMagics"


def passes_of(text: str | None, line: MagicLine) -> list[Pass[...]]:
    """Those of a list as an option takes it. Raises PolynbError for one that there is not."""
    known = applicable()
    found = []
    for name in names(text):
        if name not in known:
            span = line.span_of(text or name) or line.span_of("--apply")
            raise unknown(f"there is no pass {name!r}", span, name, list(known))
        found.append(known[name].info.run)
    return found


def pass_magics() -> type[ProgramMagics]:
    """The magics of all passes that are registered by now, `%%name` and `%name`."""
    known = with_magics()
    made = {name: _magic(name, p.info.run, p.view.magic) for name, p in known.items()}
    found: type[ProgramMagics] = magics_class(type(CLASS, (ProgramMagics,), made))
    return found


def _magic(name: str, run: Pass[...], magic_: PassMagic | None) -> Any:
    """The method of one magic: one call of the pass."""
    assert magic_ is not None
    if magic_.script is not None:
        return script_magic(name, magic_, magic_.script)

    parameters = inspect.signature(run).parameters

    def work(
        self: ProgramMagics, programs: Sequence[Program], call: Called
    ) -> Derivation[Any, Any]:
        given = {o.name: getattr(call.options, o.name) for o in magic_.options}
        keywords = {n: v for n, v in given.items() if n in parameters}
        keywords |= magic_.keywords(call.options)
        with Progress(self.shell, call.options.quiet) as progress:
            result = watched(run, programs[0], progress, **keywords)
        aside = magic_.aside(result, call.options)
        if aside is not None:
            display(aside, raw=True)
        return result

    def method(self: ProgramMagics, line: str, cell: str | None = None) -> Any:
        return self._run(line, cell, getattr(self, name), partial(work, self))

    method.__name__ = name
    method.__doc__ = magic_.doc
    return magic(PROGRAM, *(_argument(o, parameters) for o in magic_.options))(method)


def _argument(option: Option, parameters: Mapping[str, inspect.Parameter]) -> Any:
    """An option as a line has it; its default is the parameter's, and `bool` makes it a switch."""
    seen: dict[str, Any] = {}
    if (parameter := parameters.get(option.name)) is not None:
        seen = {"default": parameter.default}
        if parameter.annotation in (bool, "bool"):
            seen["action"] = "store_true"
    return argument(option.flag, **{**seen, **option.settings})
