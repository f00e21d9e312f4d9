"""What everybody may do without a key."""
