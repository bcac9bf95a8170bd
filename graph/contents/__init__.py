"""The contents of the graph: its sources, their changes, measures, languages and links to targets."""
