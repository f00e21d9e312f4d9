"""Places whose documents a knowledge base follows."""
