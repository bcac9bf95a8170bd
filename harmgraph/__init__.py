"""Audit knowledge bases for harms to groups of people, in a graph."""
