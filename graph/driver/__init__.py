"""What stands between the driver of Neo4j and ``graph.connection``: its errors in harmgraph's words, lock, retries, kept rows."""
