"""Which writes go, and which stay although nobody needs them."""

import polynb as pn
from polynb import isl
from polynb.run.oracle import equivalent

TEXT = """
param N; assume N >= 20; input float A[2*N]; output float B[3*N];
temp float t[2*N], u[2*N];
for i = 0 to 2*N - 1 do
  t[i] = A[i] * 2;
done
for i = 0 to 2*N - 1 do
  u[i] = t[i] + 1;
done
for i = 1 to N do
  {condition} B[i] = u[i]; {end}
done
for i = {low} to N - 4 do
  B[2*N + i] = u[i];
done
"""


def left(**parts):
    program = pn.parse(TEXT.format(**parts))
    result = pn.propagate(program, keep="t").result
    assert equivalent(program, result)
    return result.statements[0].domain.gist_params(result.assumed)


def test_parity_does_not_cut_holes_into_a_loop():
    """Needed are 4 to N - 4 and the odd ones from 1 to N."""
    domain = left(condition="if mod(i, 2) == 1 then", end="fi", low=4)
    assert domain.n_basic_set() == 1
    assert domain.is_equal(
        isl.read_set("[N] -> { S0[i] : 1 <= i <= N }").gist_params(domain.params())
    )


def test_parity_alone_is_a_stride():
    domain = left(condition="if mod(i, 2) == 1 then", end="fi", low="N - 3")
    assert domain.is_equal(isl.read_set("[N] -> { S0[i] : 1 <= i <= N and i mod 2 = 1 }"))


def test_two_ranges_stay_two():
    domain = left(condition="if i <= 3 then", end="fi", low=9)
    expected = "[N] -> { S0[i] : 1 <= i <= 3 or 9 <= i <= N - 4 }"
    assert domain.is_equal(isl.read_set(expected))
