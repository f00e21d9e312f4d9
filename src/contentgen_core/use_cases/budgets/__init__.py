"""Budgets of models: set, read, and kept while articles are written."""
