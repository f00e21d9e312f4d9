"""The knowledge base: importing, indexing, retrieval and statistics."""
