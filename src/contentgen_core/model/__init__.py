"""Values and their rules of construction."""
