"""Topics: which are allowed, alike, worth writing on, and in the air."""
