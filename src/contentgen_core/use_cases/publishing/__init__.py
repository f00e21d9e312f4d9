"""Publishing: from an article to posts at targets, truthfully."""
