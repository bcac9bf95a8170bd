"""Probes of embeddings, one a module."""
