"""Values, and the rules of their construction."""
