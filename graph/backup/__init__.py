"""Copies of the store, and what they save. The door is ``recovery``."""
