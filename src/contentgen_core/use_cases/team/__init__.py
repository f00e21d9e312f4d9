"""Who belongs to a tenant: members, invitations, roles."""
