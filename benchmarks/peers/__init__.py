"""Measure what an article costs in other programs that write from passages: the same passages, topics and model for
all, each program in an environment of its own. `make bench-peers` runs it.
"""
