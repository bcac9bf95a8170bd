"""Population of commonsense knowledge bases. Import from the modules; the commands are in ``commands``."""
