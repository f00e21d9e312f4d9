"""Pure decisions over values: no ports, no I/O."""
