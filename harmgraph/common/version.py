"""The version of harmgraph, also read by the build, and that of its outputs."""

VERSION = "0.1.0"
SHAPE = 1
"""Increases when a key or a column of an output changes its meaning or goes; a new one does not change it (docs/outputs.md)."""
