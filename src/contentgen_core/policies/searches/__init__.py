"""Search demand: how many clicks an article could gain, and how."""
