"""The rules engine: pure values in, values out; no files, clocks or random numbers."""
