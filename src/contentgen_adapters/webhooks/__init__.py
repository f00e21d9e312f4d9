"""Events to webhook endpoints, signed by Standard Webhooks."""
