"""The topics of a niche or an agent, and which of them its knowledge base covers."""
