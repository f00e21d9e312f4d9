"""Signing in to the console: by a link in a mail, or by an API key."""
