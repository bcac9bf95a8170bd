"""How the maintainers of a knowledge base take corrections. Start with ``form``."""
