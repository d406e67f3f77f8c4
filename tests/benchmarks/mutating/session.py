"""A pytest session that collects tests once, and runs them in copies of its process: each alone,
to see which lines it runs, and in a mutant those that run the line that is changed."""

from __future__ import annotations

import gc
import hashlib
import importlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Any, Final

import pytest

from .children import in_child
from .lines import lines_run
from .mutants import Mutant, code

Tell = Callable[[Any], None]
DECIDING: Final = (
    "legality",
    "proofs",
    "propagation",
    "violations",
    "delicm",
    "reordering",
    "codegen",
)
"""The rooms that decide; of some of them only a file is mutated."""


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: "killed" (`by` a test), "timed out" (in one, or none ended),
    "survived" `tests` tests, the `left` ones apart, for which there was no time."""

    key: str
    outcome: str
    by: str = ""
    tests: int = 0
    left: int = 0
    seconds: float = 0.0
    asked: str = field(default="", repr=False)


class Mutating:
    """The session: `judge` is called with it when all tests are collected."""

    def __init__(self, root: Path, folder: Path, judge: Callable[[Mutating], None]) -> None:
        self.root, self.folder, self._judge = root, folder, judge
        self.items: dict[str, pytest.Item] = {}
        self.runs: dict[str, dict[str, Any]] = {}
        self._kills: dict[str, Counter[str]] = {}
        self._failed = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {i.nodeid: i for i in session.items}
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        for name in ("IPython.core.interactiveshell", *_modules(self.root)):
            importlib.import_module(name)  # not in each child again
        self._functions = _functions(str(self.root / "polynb"))
        gc.collect()
        gc.freeze()
        self._judge(self)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed = self._failed or report.failed

    # -- which test runs what ------------------------------------------------------------------

    def record(self, seconds: float) -> None:
        """The lines and the time of each quick test, as far as they are not known."""
        cache = self.folder / "lines.json"
        state = _hash((self.root / "polynb").rglob("*.py"))
        known = json.loads(cache.read_text()) if cache.exists() else {}
        known = known if known.get("state") == state else {"state": state, "runs": {}}
        for k, (nodeid, item) in enumerate(self.items.items()):
            file = _hash([Path(item.path)])
            if known["runs"].get(nodeid, {}).get("file") != file:
                known["runs"][nodeid] = {"file": file, **self._recorded(item, seconds)}
                if k % 50 == 0:
                    print(f"{k} of {len(self.items)} tests", flush=True)
                    _keep(cache, known)
        _keep(cache, known)
        self.runs = {n: r for n, r in known["runs"].items() if n in self.items and r["passed"]}

    def _recorded(self, item: pytest.Item, seconds: float) -> dict[str, Any]:
        def work(tell: Tell) -> None:
            started = time.perf_counter()
            with lines_run(str(self.root / "polynb")) as found:
                passed = self._passes(item, None)
            lines = {str(Path(f).relative_to(self.root)): sorted(n) for f, n in found.items()}
            took = time.perf_counter() - started
            tell({"passed": passed, "seconds": took, "lines": lines})

        told = in_child(work, seconds)
        return told[0] if told else {"passed": False, "seconds": seconds, "lines": {}}

    def _passes(self, item: pytest.Item, following: pytest.Item | None) -> bool:
        self._failed = False
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        return not self._failed

    # -- mutants -------------------------------------------------------------------------------

    def covering(self, m: Mutant) -> list[str]:
        """The tests that run the line of a mutant: those that killed one in that function first,
        the quickest of the others before the slower ones."""
        first, last = m.lines
        kills = self._kills.get(m.file + m.function, Counter())
        found = [
            n
            for n, run in self.runs.items()
            if any(first <= line <= last for line in run["lines"].get(m.file, ()))
        ]
        return sorted(found, key=lambda n: (-kills[n], self.runs[n]["seconds"]))

    def asked(self, tests: Iterable[str]) -> str:
        """What a mutant has been asked, so that nobody asks it twice."""
        texts = sorted(n + self.runs[n]["file"] for n in tests)
        return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]

    def tried(self, m: Mutant, seconds: float) -> Outcome:
        tests, started = self.covering(m), time.monotonic()
        slowest = max((self.runs[n]["seconds"] for n in tests), default=0.0)

        def work(tell: Tell) -> None:
            self._become(m)
            tell(["", True])  # it is another one now
            for name, following in zip(tests, [*tests[1:], None], strict=True):
                if time.monotonic() - started > seconds:
                    return
                tell([name, None])
                passed = self._passes(self.items[name], following and self.items[following])
                tell([name, passed])
                if not passed:
                    return

        told = in_child(work, seconds + 10 * slowest + 5) if tests else []
        took = round(time.monotonic() - started, 2)
        asked = self.asked(tests)
        if told is None:
            return Outcome(m.key, "timed out", tests=len(tests), seconds=took, asked=asked)
        if tests and not told:
            raise RuntimeError(f"no such mutant can be made: {m.key}")
        last = told[-1] if told else ["", True]
        if last[1] is not True:  # it failed, or ended the process
            self._kills.setdefault(m.file + m.function, Counter())[last[0]] += 1
            return Outcome(m.key, "killed", last[0], len(tests), 0, took, asked)
        ran = sum(name != "" and passed is True for name, passed in told)
        return Outcome(m.key, "survived", "", ran, len(tests) - ran, took, asked)

    def _become(self, m: Mutant) -> None:
        new = code(self.root, m)
        for f in self._functions[str(self.root / m.file), m.function, new.co_firstlineno]:
            f.__code__ = new


def _modules(root: Path) -> list[str]:
    """The modules of the rooms that are mutated."""
    files = (f for room in DECIDING for f in (root / "polynb").glob(f"{room}/**/*.py"))
    return sorted(".".join(f.relative_to(root).with_suffix("").parts) for f in files)


def _functions(folder: str) -> dict[tuple[str, str, int], list[FunctionType]]:
    """The functions of files below a folder, also those that others are wrapped around."""
    found: dict[tuple[str, str, int], list[FunctionType]] = {}
    for f in gc.get_objects():
        if isinstance(f, FunctionType) and f.__code__.co_filename.startswith(folder):
            c = f.__code__
            found.setdefault((c.co_filename, c.co_qualname, c.co_firstlineno), []).append(f)
    return found


def _keep(file: Path, known: object) -> None:
    """Whole, or as it was, whenever it is stopped."""
    new = file.with_suffix(".new")
    new.write_text(json.dumps(known))
    new.replace(file)


def _hash(files: Iterable[Path]) -> str:
    h = hashlib.sha256()
    for f in sorted(files):
        h.update(str(f).encode() + f.read_bytes())
    return h.hexdigest()[:16]


def session(root: Path, folder: Path, tests: list[str], judge: Callable[[Mutating], None]) -> int:
    arguments = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", str(root)]
    return int(pytest.main([*arguments, *tests], plugins=[Mutating(root, folder, judge)]))
