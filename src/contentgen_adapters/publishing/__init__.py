"""Publishing targets: one file a provider in `providers`, over what they share here."""
