"""Parsing of untrusted HTML and PDF, for files and for web pages."""
