"""The service worker of live pages: what is in their folder is kept, version by version."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import Final

SERVICE: Final = "service.js"


def write_service(folder: Path) -> Path:
    """Write it for the files of a folder: with any other bytes it is another version."""
    kept = sorted(p for p in folder.iterdir() if p.suffix != ".txt" and p.name != SERVICE)
    named = "".join(f"{p.name} {hashlib.sha256(p.read_bytes()).hexdigest()}\n" for p in kept)
    version = hashlib.sha256(named.encode()).hexdigest()[:16]
    names = ["./", *(p.name for p in kept)]
    head = f"const VERSION = {json.dumps(version)};\nconst FILES = {json.dumps(names)};\n"
    body = files("polynb.site.live").joinpath("static", SERVICE).read_text(encoding="utf-8")
    (folder / SERVICE).write_text(head + body, encoding="utf-8")
    return folder / SERVICE
