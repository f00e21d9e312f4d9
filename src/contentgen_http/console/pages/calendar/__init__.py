"""The calendar: planned, scheduled and published, each in a lane of its own."""
