"""C: read, understood, printed."""
