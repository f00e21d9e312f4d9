"""Measure how well the product finds, judges and proves, on collections with judgements, beside simple systems.

Each module named in `__main__.NAMES` has a DESCRIPTION and `run(data: Path) -> list[Table]`; `data` is the folder of
the collections. What `run` returns is shown on the terminal and written into the module's own part of docs/quality.md.
"""
