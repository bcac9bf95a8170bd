"""What an importer is, and what importers share. The door is ``importer``."""
