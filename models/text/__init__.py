"""Language models as encoders and classifiers: shared by trained scorers and what generates text."""
