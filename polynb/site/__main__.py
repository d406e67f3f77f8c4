"""`python -m polynb.site OUT`: the site of a checkout."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from polynb.errors import PolynbError
from polynb.site.building import build
from polynb.site.live.building import binder_of, build as build_live


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the site; 0, 1 if there are warnings, or 2 if it cannot be made."""
    parser = argparse.ArgumentParser(prog="python -m polynb.site", description=__doc__)
    parser.add_argument("out", type=Path, help="the folder of the site: OUT/index.html")
    parser.add_argument("--root", type=Path, default=Path(), help="the checkout (here)")
    parser.add_argument("--live", action="store_true", help="with OUT/live, whose cells run")
    given = parser.parse_args(arguments)
    try:
        warnings = build(given.root.resolve(), given.out.resolve(), live=given.live)
        if given.live:
            readme = (given.root / "README.md").read_text(encoding="utf-8")
            build_live(given.out.resolve() / "live", binder_of(readme))
    except PolynbError as error:
        print(error, file=sys.stderr)
        return 2
    for warning in warnings:
        print(warning, file=sys.stderr)
    print(given.out / "index.html")
    return 1 if warnings else 0


if __name__ == "__main__":
    sys.exit(main())
