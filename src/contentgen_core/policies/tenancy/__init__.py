"""Rules of a tenant: plan, roles and calendar."""
