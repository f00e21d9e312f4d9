"""Updates of articles whose sources changed: proposed, decided, and looked for by a policy."""
