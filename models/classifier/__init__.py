"""Training of scorers: ``harmgraph scorer``. Import from ``training``."""
