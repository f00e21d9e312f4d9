"""Conflicts of a knowledge base: finding them, deciding them, and following the decisions."""
