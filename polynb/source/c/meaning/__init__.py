"""pycparser's tree -> the syntax tree of a SCoP."""
