"""The client of language models behind any server that speaks as OpenAI's does. Start with ``endpoint``."""
