"""The jobs of an article: generating it and publishing it on schedule."""
