"""Pairs of small programs: what is the same, and what is not, and why."""

COPIES = "param N; assume N >= 2; inout double a[N+1]; for i = 2 to N do a[i] = a[i-2]; done"
BY_PARITY = """param N; assume N >= 2; inout double a[N+1];
for i = 2 to N do if mod(i, 2) == 0 then a[i] = a[0]; else a[i] = a[1]; fi done"""
CHAIN = "param N; assume N >= 1; inout double a[2*N+1]; for i = 1 to 2*N do a[i] = a[i-1]*3; done"
PRODUCER = """param N; assume N >= 2; temp t;
for i = 0 to N do t[i] = 2 * A[i]; done
for j = 0 to N do B[j] = t[N-j] + 1; done"""
WHOLE = """param N; assume N >= 1; input int32 A[N]; output int32 B[N];
for i = 0 to N-1 do B[i] = A[i]; done"""
THROUGH = """param N; assume N >= 1; input int32 A[N]; temp TYPE t[N]; output int32 B[N];
for i = 0 to N-1 do t[i] = A[i]; done for i = 0 to N-1 do B[i] = t[i]; done"""
HISTOGRAM = """param N; assume N >= 2; input int32 img[N]; inout double h[256];
for i = 0 to N-1 do h[img[i]] = h[img[i]] + 1; done"""
WEIGHTED = HISTOGRAM.replace("+ 1", "+ w[i]")
TABLE = """param N; assume N >= 1; input int32 img[N]; output double B[N]; temp double tab[256];
for v = 0 to 255 do tab[v] = 2 * v; done
for i = 0 to N-1 do B[i] = tab[img[i]]; done"""
GUARD = """param N; assume N >= 1; input double A[N]; inout double B[N];
for i = 0 to N-1 do if A[i] > 0 then B[i] = A[i]; fi done"""
TWO_PARTS = """param N; assume N >= 9; input double A[N+1], C[N+1], D[N+1]; output double B[N+1];
for i = 0 to N do B[i] = (i < 5 ? C[i] : D[i]) + A[i]; done"""
SELECT = """param N; assume N >= 1; input double A[N]; inout double B[N];
for i = 0 to N-1 do B[i] = A[i] > 0 ? A[i] : B[i]; done"""
SUM = """param N; assume N >= 1; input double A[N]; output double s;
s = 0; for i = 0 to N-1 do s = s + A[i]; done"""

GUARDED = """param N; assume N >= 0; input double A[N+1]; inout double B[N+1];
for i = 0 to N do if {first} then B[i] = 1; fi done
for i = 0 to N do if {second} then B[i] = 2; fi done"""
IN_TURN = """param N; assume N >= 0; input double A[N+1][2]; temp double t; inout double B[N+1];
for i = 0 to N do for k = 0 to 1 do
  t = A[i][k];
  if k == 0 then if t > 0 then B[i] = 1; fi fi
  if k == 1 then if t > 0 then B[i] = 2; fi fi
done done"""


def overwritten(first: str, second: str) -> tuple[str, str]:
    """What is written under a condition, then perhaps under another one; and only the latter."""
    both = GUARDED.format(first=first, second=second)
    return both, both.replace("B[i] = 1", "B[i] = B[i]")


SAME = {
    "written again where it was written": overwritten("A[i] > 1", "A[i] > 1"),
    "written again where a computed condition holds": tuple(
        text.replace("inout", "temp double t[N+1]; inout").replace(
            "\n", "\nfor i = 0 to N do t[i] = 2 * A[i]; done\n", 1
        )
        for text in overwritten("t[i] > 1", "t[i] > 1")
    ),
    "narrowed by way of a wider type": (
        WHOLE.replace("output int32", "output int8").replace("= A[i]", "= int8(int64(A[i]))"),
        WHOLE.replace("output int32", "output int8").replace("= A[i]", "= int8(A[i])"),
    ),
    "itself": (PRODUCER, PRODUCER),
    "a temporary used up": (
        PRODUCER,
        "param N; assume N >= 2; for j = 0 to N do B[j] = 2 * A[N-j] + 1; done",
    ),
    "an index reversed": (PRODUCER, PRODUCER.replace("t[i] = 2 * A[i]", "t[N-i] = 2 * A[N-i]")),
    "a loop turned around": (PRODUCER, PRODUCER.replace("i = 0 to N", "i = N to 0 by -1")),
    "a first iteration peeled": (
        PRODUCER,
        PRODUCER.replace("for j = 0 to", "B[0] = t[N] + 1; for j = 1 to"),
    ),
    "two iterations at once": (
        CHAIN,
        CHAIN.replace("2*N do", "N do").replace(
            "a[i] = a[i-1]*3;", "a[2*i-1] = a[2*i-2]*3; a[2*i] = a[2*i-1]*3;"
        ),
    ),
    "copies": (SUM, SUM.replace("s + A[i]", "s + t[i]").replace(
        "s = 0;", "for i = 0 to N-1 do t[i] = A[i]; done s = 0;"
    ).replace("input", "temp double t[N]; input")),
    "alternating copies": (COPIES, BY_PARITY),
    "a copy that loses nothing": (WHOLE, THROUGH.replace("TYPE", "double")),
    "a histogram": (HISTOGRAM, HISTOGRAM),
    "a table": (TABLE, TABLE),
    "a condition as a selection": (GUARD, SELECT),
    "a division of iterators": (
        "param N; for i = 0 to N do A[i] = (i + i) / 2 + 0 * i; done",
        "param N; for i = 0 to N do A[i] = i; done",
    ),
    "a condition's branches as a selection": (
        GUARD.replace("fi done", "else B[i] = 2; fi done"),
        SELECT.replace("A[i] : B[i]", "A[i] : 2.0"),
    ),
    "a condition turned around": (
        GUARD.replace("if A[i] > 0 then B[i] = A[i];", "if A[i] > 0 then B[i] = A[i]; else "
                      "B[i] = 1; B[i] = 2 * A[i];"),
        SELECT.replace("A[i] > 0 ? A[i] : B[i]", "0 < A[i] ? A[i] : A[i] * 2"),
    ),
    "a constant's type": (PRODUCER, PRODUCER.replace("+ 1", "+ 1.0")),
    "what is commuted": (PRODUCER, PRODUCER.replace("2 * A[i]", "A[i] * 2")),
    "cells that are commuted": (
        PRODUCER.replace("2 * A[i]", "A[i] + A[i+1]"), PRODUCER.replace("2 * A[i]", "A[i+1] + A[i]")
    ),
    "a choice that is commuted, in a loop for each part": (
        TWO_PARTS,
        TWO_PARTS.replace(TWO_PARTS.splitlines()[1], "for i = 0 to 4 do B[i] = A[i] + C[i]; done "
                          "for i = 5 to N do B[i] = A[i] + D[i]; done"),
    ),
    "a definition": (
        PRODUCER.replace("2 * A[i]", "twice(A[i])").replace(";", "; define twice(x) = 2 * x;", 1),
        PRODUCER,
    ),
    "what does nothing": (PRODUCER, PRODUCER.replace("2 * A[i]", "-(-(2.0 * A[i])) * 1.0 - 0.0")),
    "what is never written": (
        "param N; assume N >= 0; output double A[N+1]; for i = 1 to N do A[i] = B[i]; done",
        "param N; assume N >= 0; output double A[N+1];"
        "for i = 0 to N do if i > 0 then A[i] = B[i]; fi done",
    ),
}  # fmt: skip

DIFFERENT = {
    "written again under another operation": overwritten("A[i] == 0", "A[i] < 0"),
    "written again under another number": overwritten("A[i] > 1.5", "A[i] > 2.5"),
    "written again, and the condition has changed": (
        IN_TURN,
        IN_TURN.replace("B[i] = 1", "B[i] = B[i]"),
    ),
    "a subscript": (PRODUCER, PRODUCER.replace("t[N-j]", "t[j]")),
    "an operator": (PRODUCER, PRODUCER.replace("2 * A", "2 + A")),
    "a constant": (PRODUCER, PRODUCER.replace("+ 1", "+ 2")),
    "a bound": (PRODUCER, PRODUCER.replace("j = 0 to N", "j = 0 to N-1")),
    "an order of summing": (SUM, SUM.replace("i = 0 to N-1", "i = N-1 to 0 by -1")),
    "a recurrence": (CHAIN, CHAIN.replace("a[i-1]*3", "a[i]*3")),
    "its first value": (SUM, SUM.replace("s = 0;", "s = 1;")),
    "a copy that rounds": (WHOLE, THROUGH.replace("TYPE", "float")),
    "a copy that wraps around": (WHOLE, THROUGH.replace("TYPE", "int16")),
    "the order of a histogram": (WEIGHTED, WEIGHTED.replace("[i]", "[N-1-i]")),
    "a table": (TABLE, TABLE.replace("2 * v", "2 + v")),
    "a condition": (GUARD, SELECT.replace("A[i] > 0", "A[i] >= 0")),
    "what is no number": (
        SELECT,
        SELECT.replace("A[i] > 0 ? A[i] : B[i]", "A[i] <= 0 ? B[i] : A[i]"),
    ),
    "a written input": (PRODUCER, PRODUCER.replace("B[j] =", "A[j] = 0; B[j] =")),
    "an array that is not there": (PRODUCER, PRODUCER.replace("B[", "C[")),
    "a negative zero": (PRODUCER.replace(" + 1", ""), PRODUCER.replace(" + 1", " + 0.0")),
    "a condition's branches": (GUARD, SELECT.replace("? A[i] : B[i]", "? B[i] : A[i]")),
}

FORM = {
    "ones in another order": (HISTOGRAM, HISTOGRAM.replace("img[i]", "img[N-1-i]")),
    "whole numbers in another order": (
        WHOLE.replace("A[i];", "A[i] + (A[0] + 3);"),
        WHOLE.replace("A[i];", "A[i] + A[0] + 3;"),
    ),
    "another type": (WHOLE.replace("A[i];", "A[i] - 2;"), WHOLE.replace("A[i];", "A[i] - 2.0;")),
    "twice": (SUM.replace("A[i]", "2 * A[i]"), SUM.replace("A[i]", "(A[i] + A[i])")),
}

UNKNOWN = {
    "a parameter of its own": (
        (PRODUCER, PRODUCER.replace("param N", "param N, M")),
        "has a parameter M of its own",
    ),
    "algebra": (
        (
            "param N; for i = 0 to N do A[i] = (i + 1) * (i + 1); done",
            "param N; for i = 0 to N do A[i] = i * i + 2 * i + 1; done",
        ),
        "not seen to compute the same",
    ),
}
