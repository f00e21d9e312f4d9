"""Objects in a folder or at an S3-compatible store."""
