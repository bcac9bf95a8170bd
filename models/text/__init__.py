"""Language models: finding them, and running classifiers on texts."""
