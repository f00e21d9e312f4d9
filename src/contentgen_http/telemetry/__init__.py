"""What an operator sees of the running service: log lines, metrics, traces.

The wrappers here stand around ports: what they wrap knows nothing of being watched."""
