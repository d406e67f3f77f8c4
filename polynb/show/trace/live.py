"""Other sizes of a display, as long as the kernel that made it runs.

The display asks over a comm, named by the id of its trace and the values that are wanted, and is
answered with a trace or a refusal. Only those who touch a slider ask.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.scop.model import Scop
from polynb.show.trace.builder import trace
from polynb.show.trace.format import TraceJson

TARGET: Final = "polynb.trace"
REMEMBERED: Final = 100  # displays, the last ones

_shown: OrderedDict[str, tuple[Derivation | Scop, bool]] = OrderedDict()


def remember(shown: TraceJson, program: Derivation | Scop, *, whole: bool = True) -> None:
    """From now on the display of this trace, or of its outline, can have it at other sizes."""
    _shown[shown["id"]] = program, whole
    _shown.move_to_end(shown["id"])
    while len(_shown) > REMEMBERED:
        _shown.popitem(last=False)
    _listen()


def answer(asked: Mapping[str, Any]) -> dict[str, Any] | None:
    """`{"trace"}` or `{"refused"}` for `{"id", "parameters"}`; None if nobody knows the id."""
    known = _shown.get(str(asked.get("id")))
    if known is None:
        return None
    program, whole = known
    try:
        return {"trace": trace(program, asked.get("parameters"), whole=whole)}
    except PolynbError as error:
        return {"refused": str(error)}


def _listen() -> None:
    """Lets displays ask, where there is a kernel to be asked."""
    try:
        from comm import get_comm_manager
    except ImportError:
        return
    get_comm_manager().register_target(TARGET, _opened)


def _opened(channel: Any, message: Mapping[str, Any]) -> None:
    """One display asks: in the message that opens the channel, and in each one after it."""

    def received(message: Mapping[str, Any]) -> None:
        found = answer(message["content"]["data"])
        if found is None:
            channel.close()
        else:
            channel.send(found)

    channel.on_msg(received)
    received(message)
