"""Tenants, their plan and their quotas."""
