"""Copies of the store: ``backup`` and ``restore`` of the whole graph in one file, ``recovery`` of a damaged store."""
