"""Figures and ratios, measured in one run on one server; nothing is asserted. ``make bench`` runs them all."""
