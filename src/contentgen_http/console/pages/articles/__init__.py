"""Articles: the list, and one with the passages that it rests on."""
