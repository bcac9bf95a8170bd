"""``align``: brings a source of the graph into the form of events, and its tails to those of another source (``align``)."""
