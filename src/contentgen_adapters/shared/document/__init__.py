"""One document tree of an article's Markdown, with its citations and its sources."""
