"""Observation of the running service for an operator: log lines, metrics, traces.

Ports are wrapped here, so that adapters contain no telemetry.
"""
