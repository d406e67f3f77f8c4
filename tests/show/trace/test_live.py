"""Other sizes of a display, asked of the kernel over a comm."""

import pytest

import polynb as pn
from polynb.show.trace import live
from polynb.show.trace.builder import trace


class Channel:
    """A comm whose other end is here."""

    def __init__(self):
        self.sent, self.closed, self.receive = [], False, None

    def on_msg(self, receive):
        self.receive = receive

    def send(self, data):
        self.sent.append(data)

    def close(self):
        self.closed = True


def message(key, **parameters):
    return {"content": {"data": {"id": key, "parameters": parameters}}}


@pytest.fixture
def key(monkeypatch):
    monkeypatch.setattr(live, "_shown", type(live._shown)())
    program = pn.propagate(pn.gallery.load("fig1"))
    shown = trace(program)
    live.remember(shown, program)
    return shown["id"]


def test_what_is_asked_first_and_later_is_answered(key):
    channel = Channel()
    live._opened(channel, message(key, N=5))
    channel.receive(message(key, N=7))
    assert [s["trace"]["parameters"][0]["value"] for s in channel.sent] == [5, 7]
    channel.receive(message(key, N=1))
    assert "does not allow N = 1" in channel.sent[-1]["refused"]
    assert not channel.closed


def test_a_display_that_another_kernel_made_is_told_so(key):
    channel = Channel()
    live._opened(channel, message("00000000", N=5))
    assert channel.closed
    assert channel.sent == []


def test_only_the_last_displays_are_kept(key, monkeypatch):
    monkeypatch.setattr(live, "REMEMBERED", 2)
    scop = pn.gallery.load("fig4")
    for n in (4, 5):
        live.remember(trace(scop, {"N": n}), scop)
    assert live.answer({"id": key, "parameters": {}}) is None
    assert len(live._shown) == 2


def test_a_display_that_is_shown_again_counts_as_a_new_one(key, monkeypatch):
    monkeypatch.setattr(live, "REMEMBERED", 2)
    scop = pn.gallery.load("fig4")
    live.remember(trace(scop, {"N": 4}), scop)
    known, whole = live._shown[key]
    live.remember({"id": key}, known, whole=whole)
    live.remember(trace(scop, {"N": 5}), scop)
    assert live.answer({"id": key, "parameters": {}}) is not None
