"""The embedded Neo4j: fetched, started, stopped, watched. The door is ``server``."""
