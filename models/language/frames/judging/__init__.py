"""How well a model predicts social bias frames: scores of variables and texts, and linear n-grams to compare with."""
