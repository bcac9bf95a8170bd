"""Records into the graph, in batches or in bulk. The door is ``import_run``: one import from begin to finish."""
