"""What there is to look up, written from what says it already: docstrings, the parsers of magics,
the gallery's index, and the terms that displays explain."""
