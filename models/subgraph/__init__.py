"""A subgraph of the graph as tensors. The door is ``reader``."""
