"""``language``: causal language models. Import from ``named`` (train, judge), ``generation`` and ``speaking``."""
