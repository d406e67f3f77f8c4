"""Derivations as traces, which the stepper plays."""
