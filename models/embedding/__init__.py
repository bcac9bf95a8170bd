"""Embeddings of a source: ``harmgraph embed``. Import from ``named_embedding``."""
