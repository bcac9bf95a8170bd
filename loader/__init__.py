"""Files -> records -> graph. One file per knowledge base in ``loader/importers``."""
