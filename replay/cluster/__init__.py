"""Work handed to a Dask cluster: one log a task, and what a cluster can do wrong said by name.

Dask is an optional extra: nothing here imports it before a cluster is asked for.
"""
