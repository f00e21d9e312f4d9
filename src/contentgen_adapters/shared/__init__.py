"""Code shared by several adapters; implements no port."""
