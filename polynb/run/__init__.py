"""C -> compiled kernel -> results and timings; executions that need no compiler; the oracle."""
