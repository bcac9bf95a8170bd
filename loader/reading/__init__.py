"""Files to records, in a process of their own where that pays. The door is ``records``."""
