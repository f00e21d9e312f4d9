"""The face of the package for programs that embed the core, and what composes it over adapters."""
