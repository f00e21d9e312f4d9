"""Image search: one file per picture service, and the port over any of them."""
