"""The magics, their lines, and completion."""
