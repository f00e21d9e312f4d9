"""The loops that do jobs: claim, lease, run, hand back; the relay to the queue; delivery of webhook messages."""
