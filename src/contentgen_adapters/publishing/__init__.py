"""Publishing targets: one file per provider in `providers`, and what they share."""
