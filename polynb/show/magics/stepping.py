"""What %step shows: the stepper of one derivation, or several on tabs."""

from __future__ import annotations

import argparse
import ast
from collections.abc import Mapping, Sequence
from typing import Any

from polynb.conveniences import grading
from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.folding import Folded
from polynb.show.magics.arguments import MagicLine, Word
from polynb.show.magics.measuring import arguments_of
from polynb.show.magics.programs import find
from polynb.tracing.model import Folding
from polynb.words import counted


def stepped(
    words: MagicLine, called: Sequence[Word], options: argparse.Namespace, shell: Any
) -> Any:
    """The stepper of a derivation; of several, tabs with one for each.

    Each takes the parameter values that it has. Raises PolynbError for what has no steps, for a
    derivation that is there twice, and for a step that one of them does not have.
    """
    if not called:
        hint = "%step fast, after fast = %propagate blur"
        raise PolynbError("%step takes a derivation, not none", span=words.start, hint=hint)
    texts = [w.text for w in called]
    for k, word in enumerate(called):
        if word.text in texts[:k]:
            raise PolynbError(f"{word.text} is there twice", span=word.span, hint="once")
    found = [(word, _derivation(word, shell)) for word in called]
    if grading():
        return found[0][1]
    values = arguments_of(words, shell)
    known = {p for _, d in found for p in _parameters(d)}
    views = {}
    for word, derivation in found:
        # What is a parameter of none is said by the first.
        mine = {k: v for k, v in values.items() if k in _parameters(derivation) or k not in known}
        view = _view(derivation, options.predict, mine, word)
        view.step = _begun(words, word, len(view.trace["steps"]) - 1, options.at)
        views[word.text] = view
    if len(views) == 1:
        return view
    from polynb.show.trace.stepper import Steppers

    return Steppers(views)


def _parameters(found: Derivation[Any, Any] | Folded) -> tuple[str, ...]:
    return () if isinstance(found, Folded) else tuple(found.before.parameters)


def _view(
    found: Derivation[Any, Any] | Folded, predict: bool, values: dict[str, Any], word: Word
) -> Any:
    if not isinstance(found, Folded):
        if "predict" in values:
            raise PolynbError("predict is an option", span=word.span, hint="--predict")
        return found.step(predict, **values)
    if predict or values:
        raise PolynbError(
            f"{word.text} is a folded stream: it has no parameters, and asks no questions",
            span=word.span,
            hint=f"%step {word.text}",
        )
    return found.step()


def _derivation(word: Word, shell: Any) -> Derivation[Any, Any] | Folded:
    from polynb.proofs import Proof  # this loads all that runs programs

    if (folded := _folded(word, shell.user_ns)) is not None:
        return folded

    proof = shell.user_ns.get(word.text)
    if isinstance(proof, Proof) and proof.programs is not None:
        return proof.explained()
    if isinstance(run := shell.user_ns.get(word.text), Folding):
        raise _whole_run(word, run)
    found = find(word, shell.user_ns)
    if not isinstance(found, Derivation):
        raise PolynbError(
            f"{word.text} is a program: it has no steps",
            span=word.span,
            hint=f"fast = %propagate {word.text}, then %step fast",
        )
    return found


def _folded(word: Word, namespace: Mapping[str, Any]) -> Folded | None:
    """A variable that holds a folded stream, or a stream of a traced program, `run["I2"]` or
    `run["I1", "I2"]`; None of anything else."""
    found = namespace.get(word.text)
    if isinstance(found, Folded):
        return found
    name, _, key = word.text.partition("[")
    run = namespace.get(name)
    if not isinstance(run, Folding) or not key.endswith("]"):
        return None
    try:
        chosen = ast.literal_eval(key[:-1])
    except (SyntaxError, ValueError):
        raise PolynbError(
            f"{word.text} names no stream", span=word.span, hint=f'{name}["I1"]'
        ) from None
    return run[chosen]


def _whole_run(word: Word, run: Folding) -> PolynbError:
    """What there is to step in it: a stream, whose entries are there if they were kept."""
    kept = [name for name, stream in run.executed.items() if stream.stream_entries is not None]
    return PolynbError(
        f"{word.text} is a whole run, of {counted(len(run.executed), 'stream')}: %step takes one",
        span=word.span,
        reason=None if kept else "the entries of its streams were not kept",
        hint=f'%step {word.text}["{kept[0]}"]'
        if kept
        else f'run it again by %%fold {word.text} --streams, then %step {word.text}["I1"]',
    )


def _begun(words: MagicLine, word: Word, last: int, at: int | None) -> int:
    if at is not None and at not in range(last + 1):
        raise PolynbError(
            f"--at takes a step from 0 to {last}, not {at}",
            span=words.span_of(str(at)),
            hint=f"%step {word.text} --at {last}",
        )
    return at or 0
