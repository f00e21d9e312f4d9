"""Publishing: from an article to posts at targets, with their true state."""
