"""Statistics per target group: ``harmgraph stats``. Start with ``statistic``."""
