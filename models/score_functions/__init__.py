"""The embedding models, one a module; see ``models.embedding.score_function``."""
