"""DGL and torch: pull a subgraph, train, evaluate, propose, probe."""
