"""What people search for, and what to do about it."""
