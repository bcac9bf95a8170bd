"""Statistics: every ``.cypher`` file here is one."""
