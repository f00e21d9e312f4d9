"""Which passages are about a text, and in what order."""
