"""What a worker does with an article after the request has been answered."""
