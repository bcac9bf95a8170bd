"""Files into the graph. The door is ``pipeline``."""
