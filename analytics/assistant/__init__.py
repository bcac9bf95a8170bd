"""``mcp``: statistics and statements for an assistant, by the Model Context Protocol; begin with ``server.py``."""
