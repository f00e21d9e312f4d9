"""From drafts to an article, and from an article to what publishing targets accept."""
