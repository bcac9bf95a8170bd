"""Probes of embeddings: ``harmgraph probe``. Import from ``run``."""
