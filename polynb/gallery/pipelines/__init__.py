"""Pipelines too long to be written by hand: each module's `program()` writes the text of one,
stage by stage, as it would stand in a `.scop` file."""
