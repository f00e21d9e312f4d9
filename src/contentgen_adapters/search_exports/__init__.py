"""Exports of search engines and analytics: figures of queries and pages."""
