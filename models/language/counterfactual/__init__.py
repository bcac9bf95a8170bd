"""Counterfactual sentiment (Huang et al. 2020): samples (``sampling``), a fairer model (``debiasing``), and how good it is (``quality``)."""
