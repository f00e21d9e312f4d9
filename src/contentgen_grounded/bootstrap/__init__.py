"""From settings to services. This package alone names adapters."""
