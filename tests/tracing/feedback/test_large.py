"""Feedback on programs that are too irregular comes to an end, and says what it left out."""

from __future__ import annotations

import time

import pytest

import polynb as pn
from polynb.tracing.feedback import analysis
from polynb.tracing.feedback.overapproximation import MOST_PIECES, around

IRREGULAR = """
int key[400], tree[400], out[400], next_[400];
double a[20][20];
int main(void) {
  unsigned x = 12345;
  for (int i = 0; i < 400; i++) {
    x = x * 1103515245u + 12345u;
    key[i] = (x >> 8) % 400;
    next_[i] = (x >> 12) % 400;
  }
  for (int q = 0; q < 200; q++)
    for (int d = 0, p = key[q]; d < 20 && p > 5; d++) {
      if (tree[p] < key[q]) tree[p] += out[p = next_[p]];
      else out[p] += tree[next_[p]]++;
      if ((p ^ q) & 1) out[q] += tree[p];
    }
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 20; j++)
      a[i][j] = i + j;
  return 0;
}
"""


@pytest.mark.long
def test_what_takes_too_long_is_left_out_and_named(monkeypatch):
    folding = pn.trace(IRREGULAR, variant="F_W")
    assert sum(len(f.pieces) for f in folding.executed.values()) > 1000
    monkeypatch.setattr(analysis, "EACH", 0.3)
    started = time.monotonic()
    feedback = folding.feedback()
    assert time.monotonic() - started < 60
    assert {r.loop.line: r.verdict for r in feedback.loops}[17] == "parallel"
    assert 11 not in {r.loop.line for r in feedback.loops}
    left = {r.loop.line: r.verdict for r in feedback.untold}
    assert left[11].startswith("not known to be parallel: it is left out")
    assert left[11] in str(feedback)


CHASE = """
#include <stdlib.h>
struct node { struct node *next; int v; } *head;
int main(void) {
  for (int i = 0; i < 1500; i++) {
    struct node *p = malloc(sizeof *p + rand() % 500), **at = &head;
    int steps = rand() % 20;
    while (*at && steps--) at = &(*at)->next;
    p->next = *at;
    *at = p;
  }
  return 0;
}
"""


@pytest.mark.long
def test_a_pointer_chase_of_very_many_pieces_is_in_the_box_around_it():
    folding = pn.trace(CHASE, variant="F_W")
    many = {n: f for n, f in folding.executed.items() if len(f.pieces) > MOST_PIECES}
    assert many
    for name, folded in many.items():
        i = folding.instructions[name]
        box = around(i, folded)
        assert box.n_basic_set() == 1
        assert all(p.domain(i.loops, "I").is_subset(box.set_tuple_name("I")) for p in folded.pieces)
    feedback = folding.feedback()
    assert not feedback.untold
    assert all(r.verdict != "parallel" for root in feedback.loops for r in root.walk())
