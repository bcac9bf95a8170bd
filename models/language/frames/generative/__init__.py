"""The generative frame model: its sequences, its training, and how frames are chosen from it."""
