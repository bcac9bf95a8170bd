"""Models of social bias frames: what a post implies, and about whom (Sap et al. 2020)."""
