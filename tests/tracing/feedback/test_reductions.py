"""Which assignments gather, by an operation that may be done in another order."""

import pytest

from polynb.tracing.feedback.accumulating import accumulated, gathered_in

GATHER = {
    "s += a[i] * b": "s",
    "c[i][j] -= a[i][k]": "c[i][j]",
    "many++": "many",
    "--many": "many",
    "s = s + a[i] * 2": "s",
    "s = s - a[i]": "s",
    "all |= 1u << x": "all",
    "p = p * a[i]": "p",
    "m = a[i] > m ? a[i] : m": "m",
    "m = m < x ? m : x": "m",
    "m = fmax(m, x)": "m",
    "all = all && a[i] < 10": "all",
    "any = any||a[i]": "any",
    "s+=a[i]": "s",
    "s=s+a[i]": "s",
    "m=a[i]>m?a[i]:m": "m",
}
OTHERS = [
    *("s += a[s]", "s = a[i] - s", "s = s * a[i] + b", "s = s + a[i] > 3", "s = s + a | b"),
    *("s <<= 1", "s /= a[i]", "s %= 7", "s = (s + a[i]) % 7", "s = t + a[i]", "s == t"),
    *("m = a[i] > m ? a[i] : 0", "m = a[m] > m ? a[m] : m", "s += a[i] + …", "p->next", "s"),
    *("all = all && a[i] || b[i]", "all = all && f(all)", "all = a[i] && b[i]"),
]


@pytest.mark.parametrize("text", GATHER)
def test_what_gathers(text):
    assert accumulated(text) == GATHER[text]


@pytest.mark.parametrize("text", OTHERS)
def test_what_does_not(text):
    assert accumulated(text) is None


LINES = {
    "for (i = 0; i < 9; i++) s += a[i];": "s",
    "if (a[i] > 2) many++;": "many",
    "rank[i] += strcmp(x, y) < 0;": "rank[i]",
    "if (s < 9) s += a[i];": None,
    "while (s < 9) s += a[i];": None,
    "q = q * 0.9 + x[i];": None,
    "hash = hash * 33 ^ a[i];": None,
    "a[i] ^= rand_r(&seed);": None,
    "{ s += a[i]; t = t * 3; }": None,
    "s += a[i++];": None,
    "return n++;": None,
    "s +=": None,
    "if (a[i] < *low) *low = a[i];": "*low",
    "if (a[i] < *low) *low = b[i];": None,
    "if (a[*low] < *low) *low = a[*low];": None,
}


@pytest.mark.parametrize("line", LINES)
def test_what_a_line_gathers(line):
    assert gathered_in(line) == LINES[line]
