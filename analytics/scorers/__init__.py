"""One module per harm scorer; each defines ``SCORER`` (see ``graph.scorer`` and ``docs/add_a_scorer.md``)."""
