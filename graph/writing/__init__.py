"""Writes records into the graph, in batches or in bulk. The entry point is ``import_run``: one import from start to finish."""
