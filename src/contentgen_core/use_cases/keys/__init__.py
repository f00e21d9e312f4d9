"""API keys: who is asking."""
