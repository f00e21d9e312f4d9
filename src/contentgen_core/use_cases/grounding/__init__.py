"""Checking sentences against what they cite."""
