"""Niches and their activation."""
