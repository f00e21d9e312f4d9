"""What needs the person, what is left of the plan, and the first steps."""
