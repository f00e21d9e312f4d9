"""One module a use case: a command and its handler."""
