"""Score functions of embeddings, one per module; see ``models.embedding.score_function``."""
