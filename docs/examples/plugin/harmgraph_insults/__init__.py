"""An importer, a scorer and a statistic for harmgraph, in a package of their own."""
