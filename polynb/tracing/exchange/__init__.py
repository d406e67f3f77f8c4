"""Streams in files: how any other tracer feeds folding.

A text file has a line for each stream before its first entry, and a line for each entry; entries
of different streams may alternate, those of one stream come in the order of execution, which is
that of their vectors:

    # polynb streams 1
    stream I1: cj, ck -> address
    stream I2: cj, ck -> address
    stream I4: cj, ck ->
    stream I1 -> I2: cj, ck -> cj', ck'
    I1: 0 0 -> 12
    I2: 0 0 -> 67
    I1 -> I2: 0 0 -> 0 0
    I4: 0 0 ->

A stream's name is a word (an instruction's instances), or two with an arrow between them (the
dependence of the second on the first: from the consumer's vector to the producer's). After the
colon stand the names of the loops, outermost first, and those of the labels: `address` of a memory
access, `value` of an integer computation, none of what has no label; in an entry, their values, 64
bits each. What follows a `#` is a comment.

A NumPy file (`.npz`) has the same as arrays of integers: `I1/points` (n, D) and `I1/labels` (n, L),
and, if the loops are to have names, `I1/names` (D + L texts); `I1 -> I2/points` and so on for
dependences.
"""

from polynb.tracing.exchange.reading import StreamsError, read_streams
from polynb.tracing.exchange.writing import write_streams

__all__ = ["StreamsError", "read_streams", "write_streams"]
