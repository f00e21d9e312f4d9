"""Private documents: files and pages that a tenant writes from, in addition to the knowledge base of its niches."""
