"""What entities begin with: each kind is a module that defines ``FEATURES``, see ``models.embedding.beginning``."""
