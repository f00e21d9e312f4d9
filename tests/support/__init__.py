"""Helpers that several suites of this project share. (Helpers for writers of adapters are in
contentgen_core.testing.)
"""
