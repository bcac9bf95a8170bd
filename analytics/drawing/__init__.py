"""Figures: their base class, the numbers they need and how they are rendered. Start with ``drawing``."""
