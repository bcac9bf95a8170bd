"""Training of embeddings: the step, the optimisers, the processes that share a batch. Import from ``trainer``."""
