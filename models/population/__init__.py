"""``population``: which triples belong into a knowledge base, trained and judged. Import from ``named``."""
