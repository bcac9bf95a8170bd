"""Models of the population of knowledge bases, one per module; see ``models.population.populator``."""
