"""Build the services from the settings. Only this package names adapters."""
