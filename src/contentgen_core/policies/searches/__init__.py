"""What people search for: how much is to be gained, and by what."""
