"""What is read of a variable that a loop left in a register, also where a jump leads on to it: of
whole programs, and of what the front end of C text does not take."""

from __future__ import annotations

import pytest

from polynb.tracing.programs.remaining import remaining

AGAIN = """
int look(int how) {
  int last = -1, k = 0;
again:
  use(last);
  last = 0;
  for (int i = 0; i < 12; i++) /* loop */
    if (a[i] == how) last = i;
  if (++k < 4) goto again;
  last = 0;
  return last;
}
"""
ANYWHERE = """
int look(void *at) {
  int last = -1;
  for (int i = 0; i < 12; i++) /* loop */
    if (a[i] == 5) last = i;
  goto *at;
none:
  last = 0;
  return 0;
}
"""
GONE = """
int look(int how) {
  {
    int last = -1;
    for (int i = 0; i < 12; i++) /* loop */
      if (a[i] == how) last = i;
    goto done;
  }
done:
  return how;
}
"""
NEXT = """
int look(int how) {
  int last = -1;
  do {
    for (int i = 0; i < 12; i++) /* loop */
      if (a[i] == how) last = i;
    if (a[how] > 3) continue;
    last = 0;
  } while (last > 3);
  return how;
}
"""


@pytest.mark.parametrize(
    ("text", "reads"),
    [(AGAIN, ["  use(last);"]), (ANYWHERE, ["  goto *at;"]), (GONE, []),
     (NEXT, ["  } while (last > 3);"])],
    ids=["back", "anywhere", "out of its block", "to the test"],
)  # fmt: skip
def test_what_a_loop_left_is_read_where_it_is_jumped_to(text: str, reads: list[str]) -> None:
    lines = text.split("\n")
    line = next(k for k, words in enumerate(lines, 1) if "/* loop */" in words)
    assert [lines[r.read - 1] for r in remaining(lines, (line, 0), {})] == reads
