"""Text analysis, chunking and language detection over ICU, Snowball and markdown-it."""
