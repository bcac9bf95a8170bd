"""Reads files into records, large ones in a child process. Import from ``records``."""
