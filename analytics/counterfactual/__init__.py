"""Counterfactual evaluation of language models: ``harmgraph counterfactual``. Start with ``prompts``; ``distances`` compares."""
