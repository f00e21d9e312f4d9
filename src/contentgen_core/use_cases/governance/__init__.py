"""How well a niche is looked after."""
