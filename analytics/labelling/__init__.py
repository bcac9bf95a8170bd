"""Label statements with a scorer or by people: ``harmgraph label``. Start with ``label``."""
