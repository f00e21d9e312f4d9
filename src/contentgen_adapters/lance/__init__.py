"""The search index of the knowledge base on LanceDB. It is derived from the database and can be rebuilt."""
