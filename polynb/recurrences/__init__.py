"""Values that iterations pass on, in scalars, strips and tables (CC'18, 5.4, and beyond)."""
