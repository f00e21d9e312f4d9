"""Free articles that visitors have generated from a link."""
