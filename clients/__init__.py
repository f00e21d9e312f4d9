"""Clients of the service, generated from its OpenAPI document."""
