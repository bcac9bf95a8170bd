"""Keep what carries no harm label: ``harmgraph filter``. The door is ``filter``."""
