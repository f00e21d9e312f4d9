"""Processes that parse what came from outside, so that the serving process never does: each can be killed, and has
limits of time, memory and the size of its answer."""
