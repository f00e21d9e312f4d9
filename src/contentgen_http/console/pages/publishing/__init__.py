"""Publishing: targets, and what is known of each post at them."""
