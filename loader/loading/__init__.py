"""Loads files into the graph. Import from ``pipeline``."""
