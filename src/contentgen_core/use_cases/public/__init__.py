"""What everybody may read, without a key."""
