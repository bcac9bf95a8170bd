"""The embedded Neo4j server: fetch, start, stop and monitor it. The entry point is ``server``."""
