"""Rules over the characters and words of a text, whatever it is for."""
