"""Knowledge: documents, sources, passages and conflicts of the knowledge bases, and what they are about."""
