"""Voices: what is measured in texts, and how far a text deviates from it."""
