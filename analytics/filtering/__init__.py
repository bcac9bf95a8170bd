"""Keep the statements without a harm label: ``harmgraph filter``. Start with ``filter``."""
