"""``findings export``: what a scorer found, in the form in which a knowledge base takes corrections. Start with ``export``."""
