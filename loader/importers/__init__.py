"""One module per knowledge base; each defines ``IMPORTER`` (see ``loader.formats.importer``, ``docs/add_an_importer.md``)."""
