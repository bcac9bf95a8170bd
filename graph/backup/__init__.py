"""Recovery of a damaged store, with a copy first. The entry point is ``recovery``."""
