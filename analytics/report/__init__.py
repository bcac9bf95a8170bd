"""The report: a page, Markdown or JSON: ``harmgraph report`` and ``figure``. Start with ``report``."""
