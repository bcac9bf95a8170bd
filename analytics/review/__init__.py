"""``harmgraph review``: people judge a sample of the graph's statements on a page of their own machine."""
