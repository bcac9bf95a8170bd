"""One module per knowledge base; each defines ``IMPORTER`` (see ``loader.importer`` and ``docs/add_an_importer.md``)."""
