"""Which lines of some files a test runs."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any


@contextmanager
def lines_run(folder: str) -> Iterator[dict[str, set[int]]]:
    """The lines of files below a folder that are run inside the block, by file."""
    found: dict[str, set[int]] = {}
    open_: dict[CodeType, set[int]] = {}  # the lines of a function that have not been seen
    theirs: dict[str, bool] = {}

    def called(frame: FrameType, event: str, arg: Any) -> Any:
        code = frame.f_code
        left = open_.get(code)
        if left is None:
            if not theirs.setdefault(code.co_filename, code.co_filename.startswith(folder)):
                return None
            left = open_[code] = {n for _, _, n in code.co_lines() if n is not None}
            left.discard(code.co_firstlineno)
        if not left:
            return None
        seen = found.setdefault(code.co_filename, set())

        def line(frame: FrameType, event: str, arg: Any) -> Any:
            if frame.f_lineno in left:
                left.discard(frame.f_lineno)
                seen.add(frame.f_lineno)
            return line if left else None

        return line

    before = sys.gettrace()
    sys.settrace(called)
    try:
        yield found
    finally:
        sys.settrace(before)
