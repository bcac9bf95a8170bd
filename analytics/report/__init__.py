"""The report: a page, Markdown or JSON: ``harmgraph report`` and ``figure``. The door is ``report``."""
