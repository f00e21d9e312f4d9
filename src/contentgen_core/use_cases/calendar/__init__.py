"""The calendar, and its feed."""
