"""Settings of the person and of the team, each on a page of its own."""
