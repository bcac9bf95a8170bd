"""The commands ``db``, ``source``, ``query`` and ``completion``."""
