"""Every port in memory: for tests, for one-off commands, for trying the service without a database."""
