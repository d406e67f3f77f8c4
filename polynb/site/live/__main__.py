"""`python -m polynb.site.live OUT`: what live pages load, in a folder."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from polynb.errors import PolynbError
from polynb.site.live.building import build


def main(arguments: Sequence[str] | None = None) -> int:
    """Write what they load, OUT/index.html among it; 0, or 2 if it cannot be made."""
    parser = argparse.ArgumentParser(prog="python -m polynb.site.live", description=__doc__)
    parser.add_argument("out", type=Path, help="the folder: OUT/index.html")
    given = parser.parse_args(arguments)
    try:
        made = build(given.out.resolve())
    except PolynbError as error:
        print(error, file=sys.stderr)
        return 2
    for path in made:
        print(f"{path} ({path.stat().st_size:,} bytes)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
