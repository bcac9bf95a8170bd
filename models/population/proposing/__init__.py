"""Triples that a populator proposes; ``proposals`` says what stands in the graph, ``proposing`` draws, ``accepting`` decides."""
