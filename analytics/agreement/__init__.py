"""Compare a scorer with people: ``harmgraph agree``. The door is ``agreement``."""
