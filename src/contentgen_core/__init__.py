"""The domain of Contentgen: articles grounded in a knowledge base. Pure: no I/O, no clock, no randomness."""
