"""C text -> C text that tells the tracing runtime what it does."""
