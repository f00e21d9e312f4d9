"""Search queries of people, and recommendations from them."""
