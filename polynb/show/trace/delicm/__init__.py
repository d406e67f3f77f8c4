"""Frames of DeLICM's steps."""
