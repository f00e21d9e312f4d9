"""Rate limits in Redis; their loss does no harm."""
