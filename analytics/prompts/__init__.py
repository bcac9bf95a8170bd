"""Prompts for story models: ``harmgraph prompts``. The door is ``prompts``."""
