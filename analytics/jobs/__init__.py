"""Scheduled analytics: ``harmgraph job``. Start with ``run``."""
