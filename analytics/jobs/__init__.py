"""Scheduled analytics: ``harmgraph job``. The door is ``run``."""
