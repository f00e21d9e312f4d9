"""jq by its library: `-r`, `-c`, `-e` and files."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import jq


def main() -> int:
    parser = argparse.ArgumentParser(prog="jq")
    parser.add_argument("-r", "--raw-output", action="store_true")
    parser.add_argument("-c", "--compact-output", action="store_true")
    parser.add_argument("-e", "--exit-status", action="store_true")
    parser.add_argument("program")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    text = "\n".join(Path(file).read_text("utf-8") for file in options.files) if options.files else sys.stdin.read()
    last: object = None
    try:
        for last in jq.compile(options.program).input_text(text):
            raw = options.raw_output and isinstance(last, str)
            written = (
                last if raw else json.dumps(last, ensure_ascii=False, indent=None if options.compact_output else 2)
            )
            sys.stdout.write(f"{written}\n")
    except ValueError as error:
        sys.stderr.write(f"jq: error: {error}\n")
        return 5
    return int(options.exit_status and last in (None, False))


if __name__ == "__main__":
    sys.exit(main())
