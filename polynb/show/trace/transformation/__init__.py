"""Frames of moves."""
