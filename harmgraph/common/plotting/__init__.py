"""Style and helpers shared by the figures of ``analytics`` and ``models``."""
