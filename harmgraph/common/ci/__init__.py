"""What continuous integration reads: SARIF, annotations and the summary of a step. Start with ``code_results``."""
