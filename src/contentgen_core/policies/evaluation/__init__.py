"""Cases made from a knowledge base, what is measured over them, and whether a figure fell."""
