"""`python -m polynb`: what there is to run without a notebook."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from polynb.errors import PolynbError

ABOUT = "See why a loop can't be optimised, and fix it, in Jupyter."
BESIDES = """\
in a notebook:
  %load_ext polynb     then %%scop, %%propagate, %%reorder, %%bench, %step (each with --help)
in Python:
  import polynb as pn  then help(pn), pn.gallery.names()

`python -m polynb COMMAND --help` shows the options of a command.
"""


def commands() -> dict[str, tuple[str, Callable[[Sequence[str]], int]]]:
    """The commands, what each does, and what runs it on its arguments."""
    from polynb.evaluation import figure11, figure12, peers, scalars, table1, table5

    modules = (table1, figure11, figure12, peers, scalars, table5)
    return {
        m.__name__.rpartition(".")[2]: ((m.__doc__ or "").strip().splitlines()[0], m.main)
        for m in modules
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; without one, say what there is. Raises PolynbError as the command does."""
    known = commands()
    width = max(map(len, known)) + 2
    listed = "\n".join(f"  {name:{width}}{about}" for name, (about, _) in known.items())
    parser = argparse.ArgumentParser(
        prog="python -m polynb",
        description=ABOUT,
        epilog=f"commands (the papers' evaluation, recomputed here):\n{listed}\n\n{BESIDES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", nargs="?", choices=tuple(known), metavar="COMMAND", help="below")
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="...", help="its arguments")
    chosen = parser.parse_args(arguments)
    if chosen.command is None:
        parser.print_help()
        return 0
    return known[chosen.command][1](chosen.rest)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except PolynbError as error:
        sys.exit(str(error))
