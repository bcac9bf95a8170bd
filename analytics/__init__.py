"""Label what is in the graph, measure it, report it."""
