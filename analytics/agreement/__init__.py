"""Compare a scorer with people: ``harmgraph agree``. Start with ``agreement``."""
