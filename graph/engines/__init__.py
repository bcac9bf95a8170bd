"""How rows are mapped over workers."""
