"""The form of the graph: its version, and the steps from each version to the next. The door is ``steps``."""
