"""text -> syntax tree and back: the SCoP language, C, and their printers."""
