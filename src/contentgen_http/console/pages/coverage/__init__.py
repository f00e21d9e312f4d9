"""Whether the knowledge base covers a topic, and on what that rests."""
