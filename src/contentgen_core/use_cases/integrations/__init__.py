"""Integrations: a tenant's connections to publishing targets."""
