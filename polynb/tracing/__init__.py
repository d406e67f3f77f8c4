"""Programs that run and are watched: streams of instances and dependences, folded on the way."""

from polynb.tracing.model import Block, CallSite, Folding, Instruction, LoopOf, RunFacts

__all__ = ["Block", "CallSite", "Folding", "Instruction", "LoopOf", "RunFacts"]
