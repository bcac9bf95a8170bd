"""What knows nothing of Neo4j and serves every package: errors, registry, options, progress, output, intervals."""
