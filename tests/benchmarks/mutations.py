"""Whether tests hold what is accepted: `python tests/benchmarks/mutations.py [ROOM ...]`.

One operator, condition or relation of the rooms that decide is made another, drawn by a seed, and
the quick tests that run its line are run, the quickest first, until one fails. What survives is
listed, and the command fails, if it is not in `equivalent_mutants.toml`, with the reason why nobody
could tell. Results are kept in a folder (`--results`): a second run goes on where the first one
ended, and asks a survivor again only where tests are new. A change of the sources begins anew with
the lines that tests run (some minutes), not with the mutants of functions that stayed.

A mutant is a copy of a process that has imported everything, in which a function has other code:
tables of modules and defaults, which are evaluated before, are no mutants; nor is what is said
(`raise`, hints and reasons, `__str__`).
"""

import argparse
import json
import sys
import tomllib
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from mutating.mutants import Mutant, drawn, key_of
from mutating.session import Mutating, Outcome, session

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
EQUIVALENT: Final = HERE / "equivalent_mutants.toml"
ROOMS: Final = {
    "legality": ("legality",),
    "proofs": ("proofs",),
    "propagation": ("propagation/reload.py",),
    "violations": ("violations", "moves"),
    "delicm": ("delicm/knowledge.py",),
    "reordering": ("reordering/constraints.py",),
    "codegen": ("codegen",),
}
TESTS: Final = (
    "legality",
    "proofs",
    "propagation",
    "violations",
    "delicm",
    "reordering",
    "codegen",
    "dependences",
    "schedules",
    "moves",
    "golden",
    "laws",
    "show/trace/test_program_parts.py",
)


def main() -> int:
    args = _arguments()
    files = [f for room in args.room or ROOMS for part in ROOMS[room] for f in _files(part)]
    mutants = drawn(ROOT, sorted(files), args.seed, args.draw)
    args.results.mkdir(parents=True, exist_ok=True)
    found: dict[str, Outcome] = {}

    def judge(s: Mutating) -> None:
        s.record(args.quick)
        found.update(_judged(s, mutants, args.results / "mutants.jsonl", args.seconds))

    code = session(ROOT, args.results, [str(HERE.parent / t) for t in TESTS], judge)
    if code:
        return code
    return _reported(mutants, found)


def _arguments() -> Any:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("room", nargs="*", help=f"of {', '.join(ROOMS)} (all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--draw", type=int, default=300, help="how many mutants (300)")
    parser.add_argument("--results", type=Path, default=Path("mutations"), help="a folder")
    parser.add_argument("--seconds", type=float, default=40, help="for a mutant's tests (40)")
    parser.add_argument("--quick", type=float, default=20, help="for a test, traced (20)")
    args = parser.parse_args()
    if unknown := [r for r in args.room if r not in ROOMS]:
        parser.error(f"no room {unknown[0]!r}; there are {', '.join(ROOMS)}")
    args.results = args.results.resolve()
    return args


def _files(part: str) -> list[Path]:
    path = ROOT / "polynb" / part
    return [path] if path.is_file() else list(path.rglob("*.py"))


def _judged(s: Mutating, mutants: list[Mutant], file: Path, seconds: float) -> dict[str, Outcome]:
    """The mutants' outcomes; what is known of them is not tried again."""
    lines = file.read_text().splitlines() if file.exists() else []
    known = {o.key: o for o in (Outcome(**json.loads(line)) for line in lines)}
    explained, found = explanations(), {}
    for k, m in enumerate(mutants, 1):
        before = known.get(m.key)
        if before is None or _is_to_ask(s, m, before, m.key in explained):
            before = s.tried(m, seconds)
            with file.open("a") as out:
                out.write(json.dumps(asdict(before)) + "\n")
            print(f"{k} of {len(mutants)}: {before.outcome}, {m.key}", flush=True)
        found[m.key] = before
    return found


def _is_to_ask(s: Mutating, m: Mutant, before: Outcome, explained: bool) -> bool:
    if before.outcome == "survived" and not explained:
        return before.asked != s.asked(s.covering(m))
    return False


def explanations() -> dict[str, str]:
    """Why mutants are equivalent, by their keys."""
    entries = tomllib.loads(EQUIVALENT.read_text()).get("mutant", [])
    return {key_of(**{k: v for k, v in e.items() if k != "why"}): e["why"] for e in entries}


def _reported(mutants: list[Mutant], found: dict[str, Outcome]) -> int:
    explained = explanations()
    counts = Counter(o.outcome for o in found.values())
    survivors = [m for m in mutants if found[m.key].outcome == "survived"]
    open_ = [m for m in survivors if m.key not in explained]
    for m in open_:
        o = found[m.key]
        said = f"{o.tests} tests, {o.left} left" if o.tests or o.left else "no test runs it"
        print(f"\n{m.file}:{m.lines[0]}, {m.function} (survived: {said})")
        print(f"  was     {m.was}\n  becomes {m.becomes}")
    print(
        f"\n{len(mutants)} drawn, {counts['killed']} killed, {counts['timed out']} timed out, "
        f"{len(survivors) - len(open_)} equivalent, {len(open_)} survived"
    )
    return 1 if open_ else 0


if __name__ == "__main__":
    sys.exit(main())
