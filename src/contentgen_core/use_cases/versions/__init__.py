"""Versions of an article's text: kept with each change, read and compared."""
