"""The frames of a proof that two programs are the same."""
