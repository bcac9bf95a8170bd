"""Scorers that need torch, one per module; each defines ``SCORER`` (see ``graph.scorer``)."""
