"""Syntax tree -> C99."""
