"""The base class of importers, and what importers share. Import from ``importer``."""
