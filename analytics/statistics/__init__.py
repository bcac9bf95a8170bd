"""Statistics per target group: ``harmgraph stats``. The door is ``statistic``."""
