"""Checks against real software from package registries; `make test-live` runs them, `make test` does not."""
