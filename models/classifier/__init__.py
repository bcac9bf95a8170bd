"""Scorers trained here: ``harmgraph scorer``. The door is ``training``."""
