"""The steps of optimising: what was looked at, what each decision gains, and what it came to."""

from __future__ import annotations

from dataclasses import dataclass

from polynb.derivation import Sentence, Step
from polynb.legality.checking import Verdict
from polynb.optimising.estimate import Estimate
from polynb.optimising.picture_work import PictureWork
from polynb.optimising.registers import TOGETHER
from polynb.scop.witness import values_text
from polynb.words import listed


@dataclass(frozen=True, eq=False)
class Estimated(Step):
    """How long an order of the program takes, by the model; `permuted` and `tiled` are what was
    decided of its bands."""

    order: str
    estimate: Estimate
    written: Estimate

    @property
    def sentence(self) -> Sentence:
        text = "{order}: about {alone} on one thread, {together} on two; as written {before} and "
        text += "{both}."
        return text, {
            "order": self.order[:1].upper() + self.order[1:],
            "alone": cycles(self.estimate.alone),
            "together": cycles(self.estimate.together),
            "before": cycles(self.written.alone),
            "both": cycles(self.written.together),
        }


@dataclass(frozen=True, eq=False)
class NoOrder(Step):
    """An order that is not looked at, for a `reason`."""

    order: str
    reason: str

    @property
    def sentence(self) -> Sentence:
        return "Not {order}: {reason}.", {"order": self.order, "reason": self.reason}


@dataclass(frozen=True, eq=False)
class BandDecision(Step):
    """What is done with a band of these `statements`, and how many times as fast the nest that it
    is in is for that, by the model."""

    statements: tuple[str, ...]
    gain: float

    @property
    def about(self) -> tuple[str, ...]:
        return self.statements

    @property
    def what(self) -> str:
        """What is done, in a few words."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Permuted(BandDecision):
    """Its loops run in another order."""

    loops: tuple[str, ...]
    before: tuple[str, ...]

    @property
    def what(self) -> str:
        return f"{listed(self.statements)} in the order {', '.join(self.loops)}"

    @property
    def sentence(self) -> Sentence:
        text = "The loops of {statements} run in the order {loops} rather than {before}: {gain}."
        return text, {
            "statements": listed(self.statements),
            "loops": ", ".join(self.loops),
            "before": ", ".join(self.before),
            "gain": faster(self.gain),
        }


@dataclass(frozen=True, eq=False)
class Tiled(BandDecision):
    """Its loops, and those of other outermost bands, are tiled."""

    size: int

    @property
    def what(self) -> str:
        return f"{listed(self.statements)} in tiles of {self.size}"

    @property
    def sentence(self) -> Sentence:
        text = "The loops of {statements} are cut into tiles of {size}: {gain}."
        arguments = {"statements": listed(self.statements), "size": self.size}
        return text, {**arguments, "gain": faster(self.gain)}


@dataclass(frozen=True, eq=False)
class InRegisters(BandDecision):
    """Iterations of these of its `loops` run together in the innermost loop."""

    loops: tuple[str, ...]

    @property
    def what(self) -> str:
        return f"{listed(self.statements)} with {TOGETHER} of {listed(self.loops)} together"

    @property
    def sentence(self) -> Sentence:
        text = "{count} iterations of {loops} run together in the innermost loop of {statements}, "
        text += "which loads less for each, or waits less: {gain}."
        return text, {
            "count": TOGETHER,
            "loops": listed(self.loops),
            "statements": listed(self.statements),
            "gain": faster(self.gain),
        }


@dataclass(frozen=True, eq=False)
class TiledInWaves(BandDecision):
    """Its tiles are those of a band of skewed loops, and run in waves: the tiles of a wave are
    independent. Inside of a tile the loops run as they are written."""

    sizes: tuple[int, ...]

    @property
    def what(self) -> str:
        return f"{listed(self.statements)} in waves of tiles of {_by(self.sizes)}"

    @property
    def sentence(self) -> Sentence:
        text = (
            "The loops of {statements} run in waves of skewed tiles of {sizes}, in their own order "
        )
        text += "in each: {gain}."
        arguments = {"statements": listed(self.statements), "sizes": _by(self.sizes)}
        return text, {**arguments, "gain": faster(self.gain)}


def _by(sizes: tuple[int, ...]) -> str:
    return " x ".join(map(str, sizes))


@dataclass(frozen=True, eq=False)
class OrderChosen(Step):
    """The order that the result has."""

    order: str
    gain: float
    verdict: Verdict

    @property
    def sentence(self) -> Sentence:
        text = "Chosen: {order}, by the model {gain}; {verdict}."
        return text, {
            "order": self.order,
            "gain": faster(self.gain),
            "verdict": str(self.verdict),
        }


@dataclass(frozen=True, eq=False)
class WithoutSums(Step):
    """Orders are looked at, too, of the program without these scalars that it sums up in."""

    scalars: tuple[str, ...]

    @property
    def about(self) -> tuple[str, ...]:
        return self.scalars

    @property
    def sentence(self) -> Sentence:
        text = "One cell for all sums in {scalars} keeps loops in their order. In cells of arrays "
        text += "instead (`%%delicm` shows the way there) they are free:"
        return text, {"scalars": listed(self.scalars)}


@dataclass(frozen=True, eq=False)
class FormChosen(Step):
    """The form that a pipeline of pictures has, which propagation comes to with `options`, and what
    there is to be done in it; as it is written, there was to be done what is `written`."""

    form: str
    options: str
    written: PictureWork
    done: PictureWork

    @property
    def sentence(self) -> Sentence:
        text = "Chosen: {form}. There are {operations} to do, and {bytes} go through memory; as "
        text += "written {before} and {went}{sizes}. {propagate} shows the way there."
        sizes = self.written.sizes
        return text, {
            "form": self.form,
            "propagate": f"`{f'%%propagate {self.options}'.rstrip()}`",
            "operations": f"{approximate(self.done.operations)} operations",
            "bytes": f"{approximate(self.done.bytes)} bytes",
            "before": approximate(self.written.operations),
            "went": approximate(self.written.bytes),
            "sizes": f" (of {values_text(sizes)})" if sizes else "",
        }


@dataclass(frozen=True, eq=False)
class PlanesTogether(Step):
    """The loop over rows, `row`, is around the one over planes, `plane`, all of which read the same
    cells of some `arrays`: as many `bytes` as need not come from memory again."""

    statements: tuple[str, ...]
    plane: str
    row: str
    arrays: tuple[str, ...]
    bytes: int

    @property
    def sentence(self) -> Sentence:
        text = "The loop {row} is around {plane} in {statements}: all planes read the same rows of "
        text += "{arrays}, of which {bytes} bytes need not come from memory again."
        return text, {
            "row": self.row,
            "plane": self.plane,
            "statements": listed(self.statements),
            "arrays": listed(self.arrays),
            "bytes": approximate(self.bytes),
        }


@dataclass(frozen=True, eq=False)
class Interleaved(Step):
    """The `count` planes of these `arrays` are side by side in memory, and in the innermost loop,
    with `tables` of what they look up; `before` and `done` are what there is to be done."""

    arrays: tuple[str, ...]
    count: int
    tables: tuple[str, ...]
    before: PictureWork
    done: PictureWork

    @property
    def about(self) -> tuple[str, ...]:
        return (*self.arrays, *self.tables)

    @property
    def sentence(self) -> Sentence:
        text = "The {count} planes of {arrays} are side by side in memory, and in the innermost "
        text += "loop: what data looks up for all of them is a row of {tables}. There are "
        text += "{operations} to do then, before {before}."
        return text, {
            "count": self.count,
            "arrays": listed(self.arrays),
            "tables": listed(self.tables),
            "operations": f"{approximate(self.done.operations)} operations",
            "before": approximate(self.before.operations),
        }


@dataclass(frozen=True, eq=False)
class LeftAlone(Step):
    """The program stays as it is: no legal order was found that is faster by the model, or the
    fastest one (the `order`) is by less than the model can tell (`least`)."""

    order: str
    gain: float
    least: float

    @property
    def sentence(self) -> Sentence:
        if not self.order:
            return (
                "The program stays as it is: no legal order was found that is faster by the model.",
                {},
            )
        text = "The program stays as it is: with {order} it is {gain} by the model, which cannot "
        text += "tell gains below {least} from none. To measure instead: `pn.tune`."
        return text, {"order": self.order, "gain": faster(self.gain), "least": f"{self.least:g}"}


@dataclass(frozen=True, eq=False)
class InVain(Step):
    """Statements that write what nobody gets, or what is there, again and again: the program stays
    as it is, since compilers leave out, of what is written so, what a model counts."""

    statements: tuple[str, ...]

    @property
    def sentence(self) -> Sentence:
        text = (
            "The program stays as it is: most of what {statements} {write} is overwritten before "
        )
        text += (
            "anything reads it, or was there before, so that a compiler may leave it out. Is one "
            "of the loops needless?"
        )
        write = "writes" if len(self.statements) == 1 else "write"
        return text, {"statements": listed(self.statements), "write": write}


def cycles(n: float) -> str:
    """`2.4 million cycles`"""
    return f"{approximate(n)} cycles"


def approximate(n: float) -> str:
    """`2.4 million`"""
    for size, name in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"), (1e3, "thousand")):
        if n >= size:
            return f"{n / size:.{2 if n < 100 * size else 3}g} {name}"
    return f"{n:.0f}"


def faster(gain: float) -> str:
    return f"{gain:.2g} times as fast" if gain < 100 else f"{gain:.0f} times as fast"
