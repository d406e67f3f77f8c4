"""What live pages load: isl, a module `islpy` over it, Python, polynb, and the pages' scripts."""

from __future__ import annotations

import json
import re
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Final

from polynb.site.live.compiling import HEADERS, compiled, headers, unpacked
from polynb.site.live.declarations import declarations, enumerations
from polynb.site.live.generated import module
from polynb.site.live.glue import glue
from polynb.site.live.methods import methods
from polynb.site.live.offline import write_service
from polynb.site.live.packing import ISL, ISL_LICENCE, ISLPY, packed
from polynb.site.live.used import kept

BINDER: Final = "binder.js"
_BINDER: Final = re.compile(r"https://mybinder\.org/v2/[^\s)?\"]+")


def binder_of(readme: str) -> str:
    """The Binder of a checkout, of the badge in its README; "" if it has none."""
    found = _BINDER.search(readme)
    return found[0] if found else ""


def build(out: Path, binder: str = "") -> list[Path]:
    """Write all of it to a folder; `binder` is where cells run that pages cannot. Raises
    PolynbError where isl's source, the compiler, npm or node cannot be had."""
    with tempfile.TemporaryDirectory() as folder:
        write_isl(Path(folder))
        made = packed(out, Path(folder))
    (out / BINDER).write_text(f"export const BINDER = {json.dumps(binder)};\n", encoding="utf-8")
    return [*made, out / BINDER, write_service(out)]


def write_isl(out: Path) -> None:
    """`isl.wasm`, `islpy.py` and isl's licence, from the source package of the islpy that is
    installed."""
    with tempfile.TemporaryDirectory() as folder:
        sources = unpacked(Path(folder), version("islpy"))
        text = headers(sources)
        functions, enums = declarations(text), enumerations(text)
        enums.pop("isl_arg_type", None)
        kinds = kept(methods(functions, enums))
        names = {f.name for f in functions}
        printed = {k for k in kinds if f"isl_printer_print_{k}" in names}
        compiled(sources, glue(HEADERS, kinds, printed), out / ISL)
        (out / ISLPY).write_text(module(kinds, printed, enums), encoding="utf-8")
        both = (sources / "isl" / name / "LICENSE" for name in ("", "imath"))
        said = "\n".join(p.read_text(encoding="utf-8") for p in both)
        (out / ISL_LICENCE).write_text(said, encoding="utf-8")
