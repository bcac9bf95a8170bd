"""Statistics that Cypher alone cannot compute, one file each: a statement fetches what is needed. Each defines ``STATISTIC``."""
