"""Adapters that the processes of one machine share through a memory-mapped file."""
