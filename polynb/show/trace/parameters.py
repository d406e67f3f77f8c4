"""The parameter values that a trace is drawn for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from polynb import isl
from polynb.arguments import values
from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.scop.model import Scop
from polynb.scop.witness import values_text
from polynb.show.displays.registry import report_of
from polynb.show.draw.sample import completed
from polynb.show.trace.format import ParameterJson
from polynb.show.trace.unfolding import relations_of

MANY: Final = 100  # sets that values are chosen for, at most


def parameter_values(derivation: Derivation, given: Mapping[str, int]) -> dict[str, int]:
    """The given values, and small ones for the others for which as many of the relations as
    possible have members; also for parameters that only the last stage has, as the other program of
    a proof may. Raises PolynbError for ones that are not there or not allowed."""
    scop = derivation.before
    given = values("parameters", given, scop.parameters)
    if given and isl.fix_parameters(scop.assumed, given).is_empty():
        said = values_text(given)
        raise PolynbError(
            f"{scop.name} does not allow {said}",
            reason=f"it needs {scop.assumed}",
            hint="other values",
        )
    told = report_of(derivation)  # first: the pass's view registers what its steps show
    shown = [relations_of(s) for s in derivation.steps]
    relations = [r for against, _ in shown for r in against]
    relations += [r for _, others in shown for r in others]
    drawn = derivation.stages if told.stages else (scop,)
    domains = [s.domain for p in drawn for s in p.statements]
    chosen = completed(
        scop.assumed,
        domains[:MANY],
        scop.parameters,
        relations[:MANY],
        given,
        told.instances,
    )
    return chosen | _of_the_last(derivation, chosen)


def _of_the_last(derivation: Derivation, chosen: Mapping[str, int]) -> dict[str, int]:
    """Values of the parameters that the program at the end has and the one before has not."""
    after = derivation.stages[-1]
    more = [p for p in after.parameters if p not in chosen]
    if not more:
        return {}
    fits = not isl.fix_parameters(after.assumed, chosen).is_empty()
    domains = [s.domain for s in after.statements][:MANY]
    found = completed(after.assumed, domains, after.parameters, (), chosen if fits else {})
    return {p: found[p] for p in more}


def sliders(scop: Scop, values: Mapping[str, int]) -> list[ParameterJson]:
    """Each parameter of a program with the values it may have while the others stay, a dozen."""
    found: list[ParameterJson] = []
    for name, value in values.items():
        if name not in scop.parameters:
            continue
        rest = {k: v for k, v in values.items() if k != name}
        region = isl.fix_parameters(scop.assumed, rest)
        names, low, most = isl.dim_names(region, isl.PARAM), 0, None
        if name in names:
            k = names.index(name)
            line = isl.Set.from_params(region).move_dims(isl.SET, 0, isl.PARAM, k, 1)
            least = line.dim_min_val(0) if line.dim_has_lower_bound(isl.SET, 0) else None
            low = max(int(least.to_python()), 0) if least is not None and least.is_int() else 0
            most = line.dim_max_val(0) if line.dim_has_upper_bound(isl.SET, 0) else None
        high = max(low + 12, value)
        if most is not None and most.is_int():
            high = max(value, min(high, int(most.to_python())))
        found.append({"name": name, "value": value, "low": low, "high": high})
    return found
