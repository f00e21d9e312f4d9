"""The product as its users run it: real processes, real signals, a real PostgreSQL, real disks."""
