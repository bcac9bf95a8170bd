"""Counterfactual sentiment (Huang et al. 2020): ``sampling`` a model, ``debiasing`` it, and the ``quality`` of both."""
