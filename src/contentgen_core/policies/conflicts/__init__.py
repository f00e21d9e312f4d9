"""Whether sentences of different passages say different things of the same."""
