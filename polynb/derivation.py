"""How an algorithm shows its work: a generator of decisions becomes a `Derivation`.

An algorithm's parent loop is a generator that takes what it starts from first (mostly a Scop),
yields one frozen step per decision, in the paper's words and with its evidence, and returns the
result (mostly a Scop). `@derivation` makes it a function that runs it to the end and returns a
`Derivation`; `f.steps(...)` is the undrained generator, which callers nest with `yield from`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, fields
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, overload

from polynb import isl
from polynb.conveniences import Conveniences, Markup, Portable
from polynb.errors import PolynbError
from polynb.scop.model import Scop

if TYPE_CHECKING:  # of Python 3.13: what is not said is a program
    from typing_extensions import TypeVar

    B = TypeVar("B", default=Scop)
    R = TypeVar("R", default=Scop)
    T = TypeVar("T")
else:
    from typing import TypeVar

    B, R, T = TypeVar("B"), TypeVar("R"), TypeVar("T")
P = ParamSpec("P")
Q = ParamSpec("Q")
Sentence = tuple[str, dict[str, Any]]
"""A format string and its arguments."""


@dataclass(frozen=True, eq=False)
class Step(Portable):
    """One decision. Subclasses hold its evidence, which pickles, and say it in words."""

    @property
    def about(self) -> tuple[str, ...]:
        """The arrays (or statements) this step decides on: what `Derivation.why` looks up."""
        return ()

    @property
    def sentence(self) -> Sentence:
        """One plain sentence."""
        raise NotImplementedError

    def __str__(self) -> str:
        text, arguments = self.sentence
        return text.format(**arguments)


@dataclass(frozen=True, eq=False)
class Derivation(Conveniences, Generic[B, R]):
    """What a pass started from and what it made of it, and every decision in between.

    Both are programs, mostly; a pass may also start from something else (from a stream, say), or
    end in something else. `stages` are the programs among them from the first to the result, one
    more for each pass that changed something.
    """

    name: str
    before: B
    result: R
    steps: tuple[Step, ...]
    stages: tuple[Scop, ...]

    @property
    def rewrites(self) -> bool:
        """Whether it leads from a program to a program, which can be compared."""
        return isinstance(self.before, Scop) and isinstance(self.result, Scop)

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

    def step(self, /, predict: bool = False, **parameters: int) -> Any:
        """A widget that steps through the decisions; `answers` and `score` are what a learner
        predicted. `parameters`: the values that instances are shown for (chosen small by default).

        Raises PolynbError for values that the program does not allow, and without Jupyter.
        """
        return self._below("step", parameters, predict=predict)

    @overload
    def to_html(self, /, file: None = None, **parameters: int) -> Markup: ...

    @overload
    def to_html(self, /, file: str | PathLike[str], **parameters: int) -> Path: ...

    def to_html(
        self, /, file: str | PathLike[str] | None = None, **parameters: int
    ) -> Markup | Path:
        """One page that steps through the decisions on its own, also without a network, and opens
        at `#step=17`: as text, or written to `file`, whose path is returned."""
        page: Markup | Path = self._below("to_html", file, parameters)
        return page

    def to_svg(
        self,
        /,
        step: int | Sequence[int] | None = None,
        seconds: float | None = None,
        **parameters: int,
    ) -> Markup:
        """A picture of one step (the last one by default), for slides; with `seconds`, of several
        (by default all) one after the other, each shown for so long. Raises PolynbError for steps
        that there are not."""
        picture: Markup = self._below("to_svg", step, seconds, parameters)
        return picture

    def __repr__(self) -> str:
        return f"<Derivation {self.name}: {len(self.steps)} steps>"


def as_scop(program: Scop | Derivation[Any, Any]) -> Scop:
    """The program itself; a Derivation counts as its result. Raises PolynbError for all else."""
    found = program.result if isinstance(program, Derivation) else program
    if isinstance(found, Scop):
        return found
    if isinstance(program, Derivation):
        raise PolynbError(
            f"a program is needed, and {program.name} ends in {what(found)}",
            hint="a pass whose result is a program",
        )
    raise PolynbError(
        f"a program is needed, not {type(program).__name__}",
        hint="pn.parse(text), or what a pass returned",
    )


def original(derivation: Derivation[Any, Any]) -> Scop:
    """The program that a derivation starts from. Raises PolynbError if it starts from another
    thing."""
    if isinstance(derivation.before, Scop):
        return derivation.before
    raise PolynbError(
        f"a program is needed, and {derivation.name} starts from {what(derivation.before)}",
        hint="a derivation that starts from a program, or its `.result`",
    )


def what(x: object) -> str:
    """What a thing is: "a list"."""
    return _article(type(x))


def _article(type_: type) -> str:
    name = type_.__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


@dataclass(frozen=True, eq=False)
class GaveUp(Step):
    """A pass used up its budget (the operations it was given, or the seconds): its program is what
    it was, whatever the steps before this one say."""

    why: str

    @property
    def sentence(self) -> Sentence:
        return "Nothing was changed: {why}.", {"why": self.why}


@dataclass(frozen=True, eq=False)
class PassInfo:
    """What there is to know of a pass: its name, the paper it comes from ("CC'18"; "" for none),
    and the pass."""

    name: str
    paper: str
    run: Pass[..., Any, Any]


class Pass(Generic[P, B, R]):
    # A pass. Called, it runs to the end; `steps(...)` is its undrained generator. Both have the
    # usual time limit (`isl.bounded`). It starts from a `takes` and ends in a `gives`. Where a
    # budget is used up that the pass does not know how to do without, its last step is `GaveUp`,
    # and its result what it was given; if that can be no result, the error is raised. `start` makes
    # of what it is given what its generator is: a pass that moves values has a program over its
    # memory (`scop.storage.in_memory`).
    __doc__ = ""  # or else `pn.propagate?` would show one of the class below that of the pass

    def __init__(
        self,
        generator: Callable[Concatenate[B, P], Generator[Step, None, R]],
        paper: str = "",
        takes: type = Scop,
        gives: type = Scop,
        name: str = "",
        start: Callable[[Any], Any] | None = None,
    ) -> None:
        name = name or generator.__name__
        begun: Callable[[Any], Any] = isl.bounded(name)(start) if start else lambda x: x

        @functools.wraps(generator)
        def steps(before: B, /, *args: P.args, **kwargs: P.kwargs) -> Generator[Step, None, R]:
            try:
                work = generator(begun(before), *args, **kwargs)
                return (yield from isl.bounded_steps(work, name))
            except isl.BudgetExhausted as error:
                if not isinstance(before, gives):
                    raise
                yield GaveUp(f"{error.message} (try {error.hint})")
                unchanged: Any = before
                return unchanged  # type: ignore[no-any-return]

        steps.__name__ = name
        self.steps = steps
        self.paper, self.takes, self.gives = paper, takes, gives
        functools.update_wrapper(self, generator)
        self.__signature__ = inspect.signature(generator).replace(return_annotation="Derivation")
        vars(self)["__call__"] = self._as_a_function()

    def __reduce__(self) -> str:
        return self.steps.__qualname__  # pickles by its name, as a function does

    def _as_a_function(self) -> Callable[..., Any]:
        """What `pass.__call__` is: IPython asks it how the pass is called."""

        def call(*args: Any, **kwargs: Any) -> Any:
            return self(*args, **kwargs)

        vars(call)["__signature__"] = self.__signature__
        return call

    def __repr__(self) -> str:
        return f"<pass {self.steps.__name__}{f' ({self.paper})' if self.paper else ''}>"

    def __get__(self, instance: object, owner: type | None = None) -> Pass[P, B, R]:
        """Itself. Functions have this too, and so help() shows what a pass is called with."""
        return self

    @property
    def info(self) -> PassInfo:
        return PassInfo(self.steps.__name__, self.paper, self)

    def __call__(
        self, before: B | Derivation[Any, B], /, *args: P.args, **kwargs: P.kwargs
    ) -> Derivation[B, R]:
        return isl.bounded(self.steps.__name__)(self._drained)(before, *args, **kwargs)

    def _drained(
        self, given: B | Derivation[Any, B], /, *args: P.args, **kwargs: P.kwargs
    ) -> Derivation[B, R]:
        before = self._taken(given)
        earlier = given.stages if isinstance(given, Derivation) else ()
        earlier = earlier or tuple(x for x in (before,) if isinstance(x, Scop))
        running = self.steps(before, *args, **kwargs)
        taken: list[Step] = []
        try:
            result: Any = drained(running, taken)
        except PolynbError as error:
            error.steps = tuple(taken)
            raise
        name = self.steps.__name__
        new = isinstance(result, Scop) and result not in earlier[-1:]
        stages = (*earlier, result) if new else earlier
        return Derivation(name, before, result, tuple(taken), stages)

    def _taken(self, given: B | Derivation[Any, B]) -> Any:
        """What the pass starts from: the thing itself, or a derivation's result. Raises PolynbError
        if it is of another kind."""
        if self.takes is Scop:
            return as_scop(given)  # type: ignore[arg-type]
        found = given.result if isinstance(given, Derivation) else given
        if not isinstance(found, self.takes):
            raise PolynbError(
                f"{self.steps.__name__} starts from {_article(self.takes)}, not {what(found)}",
                hint="another pass, or another thing",
            )
        return found


@dataclass(frozen=True, repr=False)
class Readings:
    """How the definitions of a paper are read, where it leaves them open or gets them wrong: as
    they are meant, or in other ways, to see what comes of it."""

    def __repr__(self) -> str:
        """Only what is not as it is meant."""
        other = [f.name for f in fields(self) if getattr(self, f.name) is not f.default]
        return f"{type(self).__name__}({', '.join(f'{name}=...' for name in other)})"


def drained(work: Generator[Step, None, R], taken: list[Step]) -> R:
    """What the work returns in the end; its steps go to `taken`, as far as it comes."""
    while True:
        try:
            taken.append(next(work))
        except StopIteration as stop:
            result: R = stop.value
            return result


def attempted(
    max_operations: int | None, work: Callable[Q, T], *args: Q.args, **kwargs: Q.kwargs
) -> T | isl.IslError:
    """What the work gives in so many isl operations, or the error for which it gives nothing."""
    try:
        with isl.budget(max_operations):
            return work(*args, **kwargs)
    except isl.IslError as error:
        return error


def attempted_steps(
    max_operations: int | None, work: Generator[Step, None, R]
) -> tuple[R | isl.IslError, list[Step]]:
    """The same, and the steps that the work took: what becomes of these is not limited."""
    taken: list[Step] = []
    return attempted(max_operations, drained, work, taken), taken


def unanswered(error: isl.IslError) -> str:
    """Why an attempt gave nothing, in words."""
    if isinstance(error, isl.BudgetExhausted):
        return f"the analysis used up its {error.limit}"
    return f"its analysis failed ({error.message})"


@overload
def derivation(
    generator: Callable[Concatenate[B, P], Generator[Step, None, R]], /
) -> Pass[P, B, R]: ...


@overload
def derivation(
    *,
    paper: str = "",
    takes: type = ...,
    gives: type = ...,
    name: str = "",
    start: Callable[[Any], Any] | None = ...,
) -> Callable[[Callable[Concatenate[B, P], Generator[Step, None, R]]], Pass[P, B, R]]: ...


def derivation(
    generator: Any = None,
    /,
    *,
    paper: str = "",
    takes: type = Scop,
    gives: type = Scop,
    name: str = "",
    start: Callable[[Any], Any] | None = None,
) -> Any:
    """Make a pass of a generator of steps (see the module's docstring): of the one that is given,
    or of the one that follows. `paper` is where it comes from; `takes` and `gives` are the types of
    what it starts from and ends in; `name` is what it is called in a notebook, if not as the
    function. `start` makes of what the pass is given what the generator is (`in_memory`)."""
    if generator is not None:
        return Pass(generator)
    return lambda following: Pass(following, paper, takes, gives, name, start)
