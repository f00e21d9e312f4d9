"""The parts of the unit of work's contract, one file per repository."""
