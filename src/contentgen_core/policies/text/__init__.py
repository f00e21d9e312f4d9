"""Rules over the characters and words of any text."""
