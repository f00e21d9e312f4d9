"""Topics: validation, similarity, coverage seeds, governance, entities and trends."""
