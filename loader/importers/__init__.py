"""One module per knowledge base; each defines ``IMPORTER`` (see ``loader.importer``, ``docs/add_an_importer.md``)."""
