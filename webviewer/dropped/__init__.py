"""Logs that a reader drops on a page: each shown by a process of its own, and stored nowhere."""
