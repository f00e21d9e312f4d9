"""The wire format: structs of requests and responses, in camelCase, and their conversion from and to the models."""
