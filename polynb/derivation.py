"""How an algorithm shows its work: a generator of decisions becomes a `Derivation`.

An algorithm's parent loop is a generator that takes a Scop first, yields one frozen step per
decision, in the paper's words and with its evidence, and returns the resulting Scop.
`@derivation` makes it a function that runs it to the end and returns a `Derivation`;
`f.steps(...)` is the undrained generator, which callers nest with `yield from`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec

from polynb import isl
from polynb.errors import PolynbError

if TYPE_CHECKING:
    from polynb.scop import Scop

P = ParamSpec("P")


@dataclass(frozen=True, eq=False)
class Step:
    """One decision. Subclasses hold its evidence, which pickles, and say it in words."""

    @property
    def about(self) -> tuple[str, ...]:
        """The arrays (or statements) this step decides on: what `Derivation.why` looks up."""
        return ()

    @property
    def sentence(self) -> tuple[str, dict[str, Any]]:
        """One plain sentence: a format string and its arguments."""
        raise NotImplementedError

    def __str__(self) -> str:
        text, arguments = self.sentence
        return text.format(**arguments)


@dataclass(frozen=True, eq=False)
class Derivation:
    """A program before and after a pass, and every decision in between.

    `stages` are the programs from the first to the result, one more for each pass that changed
    something.
    """

    name: str
    before: Scop
    result: Scop
    steps: tuple[Step, ...]
    stages: tuple[Scop, ...]

    def why(self, name: str) -> str:
        """Why an array was removed or kept (or what happened to a statement), in sentences.

        Raises PolynbError if no step decided anything about that name.
        """
        said = [str(s) for s in self.steps if name in s.about]
        if not said:
            known = sorted({n for s in self.steps for n in s.about})
            raise PolynbError(
                f"{self.name} decided nothing about {name!r}",
                hint=f"one of: {', '.join(known)}" if known else "a program with temporaries",
            )
        return "\n".join(said)

    def step(self, predict: bool = False, **parameters: int) -> Any:
        """A widget that steps through the decisions; `answers` and `score` are what a learner
        predicted. `parameters`: the values that instances are shown for (chosen small by default).

        Raises PolynbError for values that the program does not allow, and without Jupyter.
        """
        from polynb.show import step

        return step(self, parameters, predict=predict)

    def to_html(self, file: str | PathLike[str] | None = None, **parameters: int) -> str:
        """One page that steps through the decisions on its own, also without a network, and opens
        at `#step=17`; written to `file` if one is given."""
        from polynb.show import to_html

        return to_html(self, file, parameters)

    def to_svg(
        self,
        step: int | Sequence[int] | None = None,
        seconds: float | None = None,
        **parameters: int,
    ) -> str:
        """A picture of one step (the last one by default), for slides; with `seconds`, of several
        (by default all) one after the other, each shown for so long. Raises PolynbError for steps
        that there are not."""
        from polynb.show import to_svg

        return to_svg(self, step, seconds, parameters)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from polynb.show import mimebundle

        return mimebundle(self)

    def __repr__(self) -> str:
        return f"<Derivation {self.name}: {len(self.steps)} steps>"


def as_scop(program: Scop | Derivation) -> Scop:
    """The program itself; a Derivation counts as its result. Raises PolynbError for all else."""
    if isinstance(program, Derivation):
        return program.result
    if not hasattr(program, "statements"):  # Scop is defined below this room
        raise PolynbError(
            f"a program is needed, not {type(program).__name__}",
            hint="pn.parse(text), or what a pass returned",
        )
    return program


@dataclass(frozen=True, eq=False)
class GaveUp(Step):
    """A pass used up its budget (the operations it was given, or the seconds): its program is what
    it was, whatever the steps before this one say."""

    why: str

    @property
    def sentence(self) -> tuple[str, dict[str, Any]]:
        return "Nothing was changed: {why}.", {"why": self.why}


class Pass(Generic[P]):
    """A pass over a Scop. Called, it runs to the end; `steps(...)` is its undrained generator.

    Both have the usual time limit (`isl.bounded`). Where a budget is used up that the pass does
    not know how to do without, its last step is `GaveUp`, and its result the program it was given.
    """

    def __init__(
        self, generator: Callable[Concatenate[Scop, P], Generator[Step, None, Scop]]
    ) -> None:
        @functools.wraps(generator)
        def steps(scop: Scop, /, *args: P.args, **kwargs: P.kwargs) -> Generator[Step, None, Scop]:
            try:
                work = generator(scop, *args, **kwargs)
                return (yield from isl.bounded_steps(work, generator.__name__))
            except isl.BudgetExhausted as error:
                yield GaveUp(f"{error.message} (try {error.hint})")
                return scop

        self.steps = steps
        functools.update_wrapper(self, generator)

    def __call__(
        self, program: Scop | Derivation, /, *args: P.args, **kwargs: P.kwargs
    ) -> Derivation:
        return isl.bounded(self.steps.__name__)(self._drained)(program, *args, **kwargs)

    def _drained(
        self, program: Scop | Derivation, /, *args: P.args, **kwargs: P.kwargs
    ) -> Derivation:
        before = as_scop(program)
        earlier = program.stages if isinstance(program, Derivation) else (before,)
        running = self.steps(before, *args, **kwargs)
        taken: list[Step] = []
        try:
            while True:
                taken.append(next(running))
        except StopIteration as stop:
            result = stop.value
        except PolynbError as error:
            error.steps = tuple(taken)
            raise
        name = self.steps.__name__
        stages = earlier if result is earlier[-1] else (*earlier, result)
        return Derivation(name, before, result, tuple(taken), stages)


def derivation(
    generator: Callable[Concatenate[Scop, P], Generator[Step, None, Scop]],
) -> Pass[P]:
    """Make a pass of a generator of steps (see the module's docstring)."""
    return Pass(generator)
