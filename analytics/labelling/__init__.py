"""Label statements with a scorer or by people: ``harmgraph label``. The door is ``label``."""
