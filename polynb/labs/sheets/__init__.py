"""The exercises of the labs, a file for each lab."""
