"""The ports: what the use cases need from outside, as Protocols."""
