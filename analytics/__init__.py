"""Labels the statements in the graph, measures them and reports the results."""
