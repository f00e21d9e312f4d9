"""Links between articles."""
