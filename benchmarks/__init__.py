"""Measure what the product costs, each time beside a stated reference measured in the same run. `make bench` runs
all.
"""
