"""Free articles that visitors have written from a link."""
