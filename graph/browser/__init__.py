"""Neo4j Browser with a start page, guide, style and saved queries. The entry point is ``workbench``."""
