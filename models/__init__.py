"""Models on DGL and torch: reading a subgraph, embeddings, probes, and trained scorers."""
