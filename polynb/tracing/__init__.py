"""Programs that run and are watched: streams of instances and dependences, folded on the way.

`trace` instruments C text at its source and runs it; `exchange` reads the streams of any other
tracer. `feedback` says what a run tells of its loops; `to_scop` makes a Scop of it.
"""

from polynb.tracing.exchange import StreamsError, read_streams, write_streams
from polynb.tracing.model import Folding
from polynb.tracing.records import Block, CallSite, Instruction, LoopOf, RunFacts
from polynb.tracing.running import trace

__all__ = [
    "Block",
    "CallSite",
    "Folding",
    "Instruction",
    "LoopOf",
    "RunFacts",
    "StreamsError",
    "read_streams",
    "trace",
    "write_streams",
]
