"""A language model as the judge of sentences: its rubric, its answers and their scores. Start with ``judge_session``."""
