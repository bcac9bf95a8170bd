"""Prompts for story models: ``harmgraph prompts``. Start with ``prompts``."""
