"""Sources beside each other: a knowledge base and a model, or models that learnt from two of them."""
