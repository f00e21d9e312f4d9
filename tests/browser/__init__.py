"""The console in a real browser: by clicks, by the keyboard alone, and without scripts."""
