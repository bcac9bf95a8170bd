"""Encoders: each is a module that defines ``ENCODER``, see ``models.embedding.encoder``."""
