"""`labs.check`: an answer is judged, within limits; without evidence there are no points."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.labs.answers import plain
from polynb.labs.assessment import Assessment, assessed
from polynb.labs.catalogue import found
from polynb.labs.exercise import Exercise
from polynb.labs.findings import Finding, Outcome

OPERATIONS: Final = 200_000_000
"""isl's, for one answer: about what the seconds of an exercise allow."""


def check(exercise: Exercise | str, answer: Any, *, student: str | None = None) -> Assessment:
    """What an answer to an exercise is worth, and what shows that something is wrong with it.

    `answer` is what the exercise asks for (isl text, an object of islpy, a program, a number); None
    or `...` is an answer that is still missing. What cannot be judged, fails, or takes longer than
    the exercise allows is worth nothing, and the reason is said. Raises PolynbError for an unknown
    exercise only.
    """
    of = found(exercise, student)
    return assessed(of, _judged(of, answer))


def _judged(of: Exercise, answer: Any) -> Outcome:
    try:
        given = plain(answer)
        if given is None or given is ... or (type(given) is str and given.strip(". \n") == ""):
            return _nothing(f"no answer yet. It is to be {of.task.form}")
        with isl.budget(OPERATIONS, of.seconds, doing="the check of the answer"):
            outcome = of.task.judge(given)
            isl.check_time()
            return outcome
    except isl.BudgetExhausted as error:
        return _nothing(f"judging the answer took more than {error.limit}: look for a simpler one")
    except PolynbError as error:
        return _nothing(str(error))
    except RecursionError:
        return _nothing("the answer is nested too deeply: look for a simpler one")
    except Exception as error:  # an answer may be any object, and fail in any way
        return _nothing(f"the answer cannot be judged: {type(error).__name__}: {error}"[:500])


def _nothing(why: str) -> Outcome:
    return Outcome(Fraction(0), (Finding(why),))
