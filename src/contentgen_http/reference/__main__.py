"""Writes the reference pages: `python -m contentgen_http.reference FOLDER`."""

from __future__ import annotations

import sys

from contentgen_http.reference.pages import main

if __name__ == "__main__":
    main(sys.argv[1:])
