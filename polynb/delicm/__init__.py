"""DeLICM (Kruse, Grosser): scalars back into the arrays they came from."""
