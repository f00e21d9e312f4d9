"""Use cases of sources that a knowledge base follows."""
