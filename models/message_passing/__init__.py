"""What carries messages along the edges of a graph: one interface, and a module per library that implements it."""
