"""How well a language model predicts texts, beside n-grams. Import from ``perplexity`` and ``kneser_ney``."""
