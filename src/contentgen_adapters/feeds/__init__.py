"""RSS and Atom feeds as a source of trends."""
