"""Every statement sent to Neo4j, one per file. Text, no logic: ``graph.statements`` reads it."""
