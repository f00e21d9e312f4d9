"""Reviews of the service by its users."""
