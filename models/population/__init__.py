"""``population``: training data, and models that tell which triples are plausible. Import from ``data`` and ``named``."""
