"""The figures of the report: one module each, found by ``analytics.drawing.drawing.figures``."""
