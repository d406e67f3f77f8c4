"""Instrumented text -> a process that runs it within limits -> what its runtime wrote."""
