"""Entailment models: behind HTTP, or from a folder on this machine."""
