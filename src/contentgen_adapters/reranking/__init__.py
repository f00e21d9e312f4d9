"""Cross-encoders over HTTP: one client, and a declaration of each of the four APIs."""
