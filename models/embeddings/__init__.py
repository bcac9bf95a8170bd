"""The embedding models, one a module; see ``models.embedding``."""
