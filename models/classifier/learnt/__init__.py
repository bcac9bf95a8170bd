"""A scorer that learns from people: an encoder and other scorers are its features, and people's labels what it learns."""
