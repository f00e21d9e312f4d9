"""What is available without a key."""
