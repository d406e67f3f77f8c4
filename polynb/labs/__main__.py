"""`python -m polynb.labs student notebooks/labs copies/`: the versions of a lab's notebook."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from polynb.errors import PolynbError
from polynb.labs.copies import COPIES, write


def main(arguments: Sequence[str] | None = None) -> int:
    """Write copies; 0, or 2 if there is something to mend first."""
    parser = argparse.ArgumentParser(prog="python -m polynb.labs", description=__doc__)
    parser.add_argument("kind", choices=COPIES, help="which copy")
    parser.add_argument("source", type=Path, help="a notebook, or a folder of them")
    parser.add_argument("target", type=Path, help="a folder, or the notebook to write")
    given = parser.parse_args(arguments)
    try:
        for path in write(given.kind, given.source, given.target):
            print(path)
    except PolynbError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
