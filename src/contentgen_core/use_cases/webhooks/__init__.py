"""Webhook endpoints, and the delivery of events to them."""
