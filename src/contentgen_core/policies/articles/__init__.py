"""Make an article of drafts, and adapt it to what publishing targets accept."""
