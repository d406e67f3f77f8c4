"""`python -m polynb.labs.grading.judge_main`: judges one answer, JSON in and JSON out."""

from __future__ import annotations

import json
import sys

from polynb.labs.grading.judging import judged


def main() -> None:
    """Points and sentence for the answer on stdin: a process of its own, which may be killed."""
    asked = json.load(sys.stdin)
    found = judged(asked["name"], asked["student"], asked["data"])
    json.dump([found.points, found.said], sys.stdout)


if __name__ == "__main__":
    main()
