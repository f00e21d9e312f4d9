"""The server around the application: connections within bounds, limits, headers, problems, the access log."""
