"""The frames of expression propagation."""
