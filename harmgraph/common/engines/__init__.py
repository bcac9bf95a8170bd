"""Parallel processing with worker processes, here or on a cluster. An engine is a module in ``members``."""
