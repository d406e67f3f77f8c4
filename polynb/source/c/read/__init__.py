"""C text -> tokens and pycparser's tree, with the places of everything."""
