"""Private documents: files and pages that a tenant writes from, beside the knowledge base of its niches."""
