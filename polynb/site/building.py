"""The site by Sphinx: a folder of sources, and pages made of it."""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Mapping
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from polynb.errors import PolynbError
from polynb.site import opening, shared
from polynb.site.reference import library
from polynb.site.sources import write_sources
from polynb.site.steppers import script

DEFER: Final = {"defer": "defer"}
LIVE: Final = "live_pages.js"
CONFIGURATION: Final[Mapping[str, Any]] = {
    "project": "polynb",
    "author": "polynb",
    "copyright": "the authors of polynb",
    "release": version("polynb"),
    "language": "en",
    "extensions": ["myst_nb", "sphinx.ext.autodoc"],
    "myst_enable_extensions": ["colon_fence"],
    "exclude_patterns": [".ipynb_checkpoints"],
    "html_theme": "furo",
    "html_title": "polynb",
    "html_css_files": ["site.css", f"../{shared.FOLDER}/{shared.STYLES}"],
    "html_js_files": [(name, DEFER) for name in ("steppers.js", "site.js")],
    "html_copy_source": False,
    "smartquotes": False,  # options and programs are full of quotes and dashes
    "nb_execution_mode": "off",
    "suppress_warnings": ["misc.highlighting_failure"],  # programs in error messages are no Python
    "nb_merge_streams": True,
    "myst_heading_anchors": 4,
    "myst_links_external_new_tab": False,
    "default_role": "code",  # docstrings have names between single backquotes
    "maximum_signature_line_length": 80,
    **library.CONFIGURATION,
}
_COLOUR: Final = re.compile("\x1b\\[[0-9;]*m")


def build(root: Path, out: Path, *, live: bool = False) -> list[str]:
    """Write the site of a checkout to a folder; what Sphinx warns of. `live`: its pages have a
    button that runs their cells, by what is in OUT/live. Raises PolynbError where Sphinx is not
    installed, and for a folder that is no checkout."""
    try:
        from sphinx.application import Sphinx
        from sphinx.util.docutils import docutils_namespace, patch_docutils
    except ModuleNotFoundError:
        raise PolynbError(
            "the site is made by Sphinx, which is not installed",
            hint='pip install -e ".[site]"',
        ) from None
    warnings = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        sources, kept, static = (Path(folder, n) for n in ("pages", "kept", "static"))
        extra = write_sources(root, sources, "live/" if live else "")
        _write_static(static)
        settings = {**CONFIGURATION, "html_static_path": [str(static)], "html_extra_path": extra}
        if live:
            settings["html_js_files"] = [*CONFIGURATION["html_js_files"], (LIVE, DEFER)]
        with patch_docutils(sources), docutils_namespace():
            app = Sphinx(
                *(sources, None, out, kept, "html"),
                confoverrides=settings,
                status=None,
                warning=warnings,
                parallel=2,
            )
            library.connect(app)
            app.build(force_all=True)
        for source_map in out.glob("_static/**/*.map"):  # of the theme, for those who change it
            source_map.unlink()
        said = _COLOUR.sub("", warnings.getvalue()).replace(f"{sources}/", "")
    return [line for line in said.splitlines() if line.strip()]


def _write_static(folder: Path) -> None:
    folder.mkdir()
    for name in ("site.css", "site.js", LIVE):
        text = files("polynb.site").joinpath("static", name).read_text(encoding="utf-8")
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "steppers.js").write_text(script(), encoding="utf-8")
    (folder / opening.SCRIPT).write_text(opening.script(), encoding="utf-8")
