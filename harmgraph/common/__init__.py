"""Helpers that every package uses and that do not depend on Neo4j: errors, registry, options, progress, output, intervals."""
