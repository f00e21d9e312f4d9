"""The operations, by resource: each reads its request, calls one use case and shapes the answer."""
