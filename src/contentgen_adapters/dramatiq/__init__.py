"""The job queue on Dramatiq and Redis, for several worker processes."""
