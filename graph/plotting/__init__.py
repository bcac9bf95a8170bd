"""What the figures of ``analytics`` and of ``models`` share, so that they look alike."""
