"""What writing takes: figures of months, and the stages of an article."""
