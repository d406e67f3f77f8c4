"""The frames of a stream that is folded (TACO'19, Figure 5)."""
