"""Cost of writing: figures of months, and the stages of an article."""
