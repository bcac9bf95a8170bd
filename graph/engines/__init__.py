"""Parallel processing with worker processes."""
