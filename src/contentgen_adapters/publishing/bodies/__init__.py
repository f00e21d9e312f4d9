"""A post's Markdown in the form that each target takes. One file a format; `docs/howto/publishing-formats.md` says
what becomes of each construct.

CPU-bound: some milliseconds for an article of usual length (`benchmarks/bodies.py`).
"""
