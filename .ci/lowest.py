"""The lower bounds of the dependencies as constraints of pip: `lowest.py [EXTRA ...]`."""

import re
import sys
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]


def bounds(requirements):
    """`name==1.2` for each `name>=1.2`; those of our own extras for `polynb[extra]`."""
    for text in requirements:
        if own := re.fullmatch(r"polynb\[(.*)\]", text):
            for extra in own[1].split(","):
                yield from bounds(PROJECT["optional-dependencies"][extra.strip()])
        else:
            name, bound = re.fullmatch(r"([\w.-]+)>=([\w.]+)", text).groups()
            yield f"{name}=={bound}"


if __name__ == "__main__":
    extras = [f"polynb[{extra}]" for extra in sys.argv[1:]]
    print("\n".join(bounds([*PROJECT["dependencies"], *extras])))
