"""`--demo`: a tenant with two niches, sample sources and sample trends, to try the service."""
