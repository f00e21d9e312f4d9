"""Commands that the documentation uses, for machines without them."""
