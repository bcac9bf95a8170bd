"""What a figure is, the numbers it needs and the file it becomes. The door is ``drawing``."""
