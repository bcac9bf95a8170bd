"""The version of harmgraph, also read by the build."""

VERSION = "0.1.0"
