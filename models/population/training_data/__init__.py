"""``population data``: positives, negatives and candidates of the graph as files. Import from ``making`` and ``data``."""
