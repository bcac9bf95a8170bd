"""One module per harm scorer; each defines ``SCORER`` (see ``analytics.scorer`` and ``docs/add_a_scorer.md``)."""
