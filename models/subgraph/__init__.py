"""Subgraphs as arrays. Import from ``reader``."""
