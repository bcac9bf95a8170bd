"""Embeddings of a source: ``harmgraph embed``. The door is ``named_model``."""
