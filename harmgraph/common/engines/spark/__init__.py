"""Apache Spark as an engine. The entry point is ``session``."""
