"""The program `contentgen`; also `python -m contentgen_http`."""

from __future__ import annotations

import atexit
import gc
import sys

from contentgen_grounded.extras import MissingExtra, from_extra


def main() -> None:
    """Run the command line, or say what it needs."""
    atexit.register(gc.freeze)  # else an interpreter walks, at its end, through all that goes with the process
    try:
        with from_extra("cli"):
            from contentgen_http import cli
    except MissingExtra as missing:
        sys.exit(f"contentgen: {missing}")
    cli.main()


if __name__ == "__main__":
    main()
