"""The wire: what the service reads and writes, in camelCase, and its way from and to the models."""
