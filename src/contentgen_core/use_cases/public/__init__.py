"""Use cases that need no key."""
