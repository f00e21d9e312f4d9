"""What several adapters stand on; no port is implemented here."""
