"""Generates the reference pages of the documentation: `python -m contentgen_http.reference FOLDER`."""
