"""Pictures: scenes, SVG, plots."""
