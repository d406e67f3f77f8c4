"""Mutants of the rooms that decide, and the tests that catch them (`../mutations.py`)."""
