"""Labels that a trained populator gives to candidates, and filters that choose among them (Fang et al. 2022)."""
