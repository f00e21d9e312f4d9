"""Telling search engines which pages changed."""
