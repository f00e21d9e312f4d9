"""Cross-encoders behind HTTP: one client, and a declaration for each of the four ways in which services are asked."""
