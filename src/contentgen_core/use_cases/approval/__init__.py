"""Approval: who may approve in a niche, what was approved, and that nothing else goes out where that is demanded."""
