"""Scorers that need torch, one a module; each defines ``SCORER`` (see ``graph.scorer``)."""
