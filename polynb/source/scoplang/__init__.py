"""The SCoP language: grammar, builder, printer."""
