"""Probes of embeddings, one per module."""
