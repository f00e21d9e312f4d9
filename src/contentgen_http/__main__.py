"""The program `contentgen`; also `python -m contentgen_http`."""

from __future__ import annotations

import sys

from contentgen.extras import MissingExtra, from_extra


def main() -> None:
    """Run the command line, or say what it needs."""
    try:
        with from_extra("cli"):
            from contentgen_http import cli
    except MissingExtra as missing:
        sys.exit(f"contentgen: {missing}")
    cli.main()


if __name__ == "__main__":
    main()
