"""What a plan, a role and a calendar allow a tenant."""
