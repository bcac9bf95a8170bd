"""What the statements of ``cypher/`` take and return, for type checkers: ``rows`` is written by ``make docs``.

Nothing here is imported at run time.
"""
