"""Agents: a niche in a country."""
