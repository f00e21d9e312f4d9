"""The members of a tenant, invitations and roles."""
