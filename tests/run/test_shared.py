"""Memory that is shared with workers."""

import os
import signal
import time

import pytest

from polynb.run import shared


def test_ctrl_c_while_memory_is_given_back_comes_a_moment_later(monkeypatch, capfd):
    """A large array takes milliseconds to be freed, which the collector of garbage may ask for: an
    error there reaches nobody."""
    close = os.close
    ours: set[int] = set()

    def interrupted(descriptor: int) -> None:
        if descriptor in ours:
            ours.remove(descriptor)
            signal.raise_signal(signal.SIGINT)
        close(descriptor)

    def freed(segments: list[shared.Segment]) -> None:
        segments.clear()
        time.sleep(5)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr(os, "close", interrupted)
    segments = [shared.Segment(1000)]
    ours.add(segments[0].descriptor)
    try:
        with pytest.raises(KeyboardInterrupt):
            freed(segments)
    finally:
        signal.signal(signal.SIGINT, before)
    assert not ours
    assert capfd.readouterr() == ("", "")
