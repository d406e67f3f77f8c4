"""`python -m polynb.labs.grading.judge_main`: judges one answer, JSON in and JSON out."""

from __future__ import annotations

import json
import sys

from polynb.labs.grading.judging import judged


def main() -> None:
    asked = json.load(sys.stdin)
    found = judged(asked["name"], asked["student"], asked["data"])
    json.dump([found.points, found.said], sys.stdout)


if __name__ == "__main__":
    main()
