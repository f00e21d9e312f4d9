"""API keys and authentication."""
