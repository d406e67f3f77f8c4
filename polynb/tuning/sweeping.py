"""Run many variants of something, wherever there is room, and keep what they gave."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, as_completed
from dataclasses import replace
from pathlib import Path
from types import BuiltinFunctionType, FunctionType
from typing import Any, Final

import numpy as np

from polynb.arguments import file, flag, function, objects, optional, wrong
from polynb.conveniences import Json, grading
from polynb.derivation import Pass
from polynb.errors import PolynbError
from polynb.isl.pickles import dumps
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Mark, walk
from polynb.tuning.results import Row, Sweep

Progress = Callable[[str, int, int], None]
Variant = Any
"""What a run makes of it, is its own matter."""
Run = Callable[[Variant], Mapping[str, Json]]

INTERVAL: Final = 0.5  # seconds between changes of the line that shows progress


def sweep(
    variants: Mapping[str, Variant] | Iterable[tuple[str, Variant]],
    run: Run,
    *,
    executor: Executor | None = None,
    resume: str | os.PathLike[str] | None = None,
    retry: bool = False,
    progress: Progress | bool = True,
) -> Sweep:
    """Call `run(variant)` for each variant, and collect what it returns: names and JSON values.

    `variants`: values by name. `polynb.tuning.Trial(scop, ...)` is the usual `run`: its variants
    are the options of a pass, `{"no blur": {"keep": "blurx"}}`; it propagates, compiles, compares
    the results with the original's, times both in turn, and counts.

    Without an executor the variants run one after the other in this process, so that they do not
    disturb each other's timings. Any `concurrent.futures` executor spreads them: a process pool,
    or `client.get_executor()` of a dask.distributed client (run and variants are pickled). What
    runs on one machine at once shares its caches and memory: there, trust ratios more than times.

    `resume` names a file that every row is appended to, as a line of JSON; variants that it has,
    under the same `run` (of a Trial also: on this processor, with this compiler), are not run again
    (those that failed are, with `retry`). `progress` is called with what is being done, how much is
    done, and of how much; True shows a line in a terminal or an interactive session.

    A variant that fails is a row with its error. Raises PolynbError for two variants of one name
    and for a `resume` file that is none. After an interrupt, `resume` has what was done.
    """
    todo = _named(variants)
    function("run", run, "polynb.tuning.Trial(scop, {'N': 1000})")
    retry = flag("retry", retry)
    if executor is not None and not hasattr(executor, "submit"):
        raise wrong("executor", executor, "an executor", "concurrent.futures.ProcessPoolExecutor()")
    if not callable(progress):
        flag("progress", progress)
    record = Record(optional(file, "resume", resume))
    runs = "" if resume is None else _fingerprint(run)
    keys = {name: key(runs, v) if resume is not None else name for name, v in todo.items()}
    known = {name: record.rows[k] for name, k in keys.items() if k in record.rows}
    rows = {n: replace(r, name=n) for n, r in known.items() if r.error is None or not retry}
    resumed, failed = len(rows), 0
    report = reporter(progress)
    left = {name: v for name, v in todo.items() if name not in rows}
    report("sweep", resumed, len(todo))
    for row, lasting in _finished(left, run, executor):
        if lasting:
            record.add(keys[row.name], row)
        rows[row.name] = row
        failed += row.error is not None
        report(f"{row.name}{f', {failed} failed' if failed else ''}", len(rows), len(todo))
    return Sweep(tuple(rows[name] for name in todo), resumed)


def _named(variants: Mapping[str, Variant] | Iterable[tuple[str, Variant]]) -> dict[str, Variant]:
    found: dict[str, Variant] = {}
    pairs: Iterable[object] = variants.items() if isinstance(variants, Mapping) else variants
    hint = '{"as it is": {}, "no blur": {"keep": "blurx"}}'
    for name, variant in objects("variants", pairs, _is_pair, "pairs of a name and a value", hint):
        if str(name) in found:
            raise PolynbError(f"two variants are called {name!r}", hint="a name for each")
        found[str(name)] = variant
    return found


def _is_pair(x: object) -> bool:
    return isinstance(x, tuple | list) and len(x) == 2


def _finished(
    variants: Mapping[str, Variant], run: Run, executor: Executor | None
) -> Iterator[tuple[Row, bool]]:
    """The rows as they are done, and whether they say something about the variant: where the
    executor failed, the variant has not had its turn."""
    if executor is None:
        for name, variant in variants.items():
            yield attempt(run, name, variant), True
        return
    futures: dict[Future[Row], str] = {}
    try:
        for name, variant in variants.items():
            futures[executor.submit(attempt, run, name, variant)] = name
        for future in as_completed(futures):
            error = future.exception()
            if error is not None and not isinstance(error, Exception):  # it ends more than that
                raise error
            if error is None:
                yield future.result(), True
            else:
                yield (
                    Row(futures[future], error=f"the executor failed: {_error_line(error)}"),
                    False,
                )
    finally:
        for future in futures:
            future.cancel()


def attempt(run: Run, name: str, variant: Variant) -> Row:
    """The row of one variant, whatever happens in its run but for what is no `Exception`."""
    try:
        given = run(variant)
        if not isinstance(given, Mapping):
            raise PolynbError(
                f"run returned {type(given).__name__}", hint="a mapping of names to JSON values"
            )
        values: dict[str, Json] = json.loads(json.dumps(dict(given), default=_number))
    except Exception as error:
        return Row(name, error=_error_line(error))
    return Row(name, values)


def _number(x: object) -> Json:
    """NumPy's numbers are JSON's."""
    if hasattr(x, "item"):
        return x.item()
    raise TypeError(f"{type(x).__name__} is no JSON value")


def _error_line(error: BaseException) -> str:
    """The error in one line."""
    kind = "" if isinstance(error, PolynbError) else f"{type(error).__name__}: "
    return kind + " ".join(str(error).split())


# -- progress ------------------------------------------------------------------------------


def reporter(progress: Progress | bool) -> Progress:
    """What is called with the progress: a function, or with True a line: on stderr in a
    terminal, and on stdout in a notebook, which makes all of stderr look like an error."""
    if callable(progress):
        return progress
    if grading():
        return lambda what, done, total: None
    interactive = sys.stderr is not None and (sys.stderr.isatty() or hasattr(sys, "ps1"))
    return _Line() if progress and interactive else lambda what, done, total: None


class _Line:
    """A line that is written over, and is gone in the end."""

    def __init__(self) -> None:
        self._start = self._last = time.monotonic()
        self._first: int | None = None
        self._width = 0
        self._to = sys.stderr if sys.stderr.isatty() else sys.stdout

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        self._first = done if self._first is None else self._first
        if total and done == total:
            self._to.write("\r" + " " * self._width + "\r" if self._width else "")
        elif now >= self._last + INTERVAL:
            self._last = now
            text = f"{done} of {total}{self._left(now, done, total)}: {what}" if total else what
            self._width = max(self._width, len(text))
            self._to.write("\r" + text.ljust(self._width))
        self._to.flush()

    def _left(self, now: float, done: int, total: int) -> str:
        new = done - (self._first or 0)
        if new <= 0:
            return ""
        seconds = (now - self._start) / new * (total - done)
        return f", {seconds / 60:.0f} min left" if seconds >= 90 else f", {seconds:.0f} s left"


# What a sweep has done so far, one JSON line for each variant, to go on after an interruption.
#
# The file is only ever appended to. A line that is not whole (its writer was killed) is passed
# over; the next one starts on a line of its own.


FORMAT: Final = 1  # of the keys; a new number leaves all older lines behind


class Record:
    """The rows in a file, by key; without a file, nothing is kept."""

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self.path = None if path is None else Path(path)
        self.rows: dict[str, Row] = {}
        text = self._text()
        for line in text.splitlines():
            self._read(line)
        if text[: text.rfind("\n") + 1].strip() and not self.rows:
            raise PolynbError(
                f"{self.path} is not the record of a sweep",
                reason="none of its lines is one that a sweep wrote",
                hint="resume=FILE of a sweep, or a new file",
            )
        self._torn = bool(text) and not text.endswith("\n")

    def _text(self) -> str:
        if self.path is None or not self.path.exists():
            return ""
        return self.path.read_text(encoding="utf-8", errors="replace")

    def _read(self, line: str) -> None:
        try:
            match json.loads(line):
                case {"key": str(key), "name": str(name), "values": dict(values), "error": error}:
                    self.rows[key] = Row(name, values, error)
        except ValueError:  # not whole
            pass

    def add(self, key: str, row: Row) -> None:
        """Write a row, at once and to the disk."""
        self.rows[key] = row
        if self.path is None:
            return
        entry = {"key": key, "name": row.name, "values": dict(row.values), "error": row.error}
        line = json.dumps(entry, ensure_ascii=False) + "\n"
        with self.path.open("a", encoding="utf-8") as file:
            file.write("\n" + line if self._torn else line)
            file.flush()
            os.fsync(file.fileno())
        self._torn = False


def key(run: str, variant: Variant) -> str:
    """The hash of a variant and of what runs it (its `_fingerprint`)."""
    return hashlib.sha256(f"{FORMAT}\n{run}\n{_fingerprint(variant)}".encode()).hexdigest()[:32]


def _fingerprint(x: object) -> str:
    """A text that is the same for equal values, in every process.

    Mappings and sets have no order, a dataclass counts as its fields that are compared (and as what
    it is `made_with`, where it says so: rows of another machine are others), a program as its text
    and how its loops run, a function as its name (one that has changed needs another record), all
    else as its pickle.
    """
    return json.dumps(_plain(x), sort_keys=True)


def _plain(x: object) -> Json:
    match x:
        case None | bool() | int() | float() | str():
            return x
        case list() | tuple():
            return [_plain(e) for e in x]
        case Mapping():
            return {"mapping": sorted([_fingerprint(k), _plain(v)] for k, v in x.items())}
        case set() | frozenset():
            return {"set": sorted(_fingerprint(e) for e in x)}
        case Scop():
            return {"program": str(x), "runs": [_plain(m) for m in _meanings(x)]}
        case Pass():
            return {"function": f"{x.steps.__module__}.{x.steps.__qualname__}"}
        case FunctionType() | BuiltinFunctionType() | type():
            return {"function": f"{x.__module__}.{x.__qualname__}"}
        case np.ndarray():
            content = hashlib.sha256(np.ascontiguousarray(x).tobytes()).hexdigest()
            return {"array": [str(x.dtype), list(x.shape), content]}
    if dataclasses.is_dataclass(x):
        values = {f.name: _plain(getattr(x, f.name)) for f in dataclasses.fields(x) if f.compare}
        beside = {"made with": _plain(x.made_with())} if hasattr(x, "made_with") else {}
        return {type(x).__qualname__: values, **beside}
    return {"pickle": hashlib.sha256(dumps(x)).hexdigest()}


def _meanings(scop: Scop) -> Iterator[object]:
    """How loops run and what marks mean, which a text does not say all of: private arrays, say."""
    for node in walk(scop.schedule):
        match node:
            case Band(kinds=kinds):
                yield kinds
            case Mark(what=what):
                yield what
