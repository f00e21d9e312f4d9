"""The operations, by resource: each parses its request, calls a use case and builds the response."""
