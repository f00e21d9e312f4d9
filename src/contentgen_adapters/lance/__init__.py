"""The search index of the knowledge base on LanceDB. Its truth is in the database: it can be lost and rebuilt."""
