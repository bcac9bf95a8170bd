"""Probes of embeddings: ``harmgraph probe``. The door is ``run``."""
