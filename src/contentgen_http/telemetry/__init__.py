"""What an operator sees of the running service: log lines, metrics, traces.

Ports are wrapped here, so that adapters know nothing of being watched."""
