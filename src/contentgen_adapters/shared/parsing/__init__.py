"""HTML and PDF from outside, for files and pages alike."""
