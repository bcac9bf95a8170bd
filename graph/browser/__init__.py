"""Neo4j Browser: the pages before it, its guide, style and saved queries. The door is ``workbench``."""
