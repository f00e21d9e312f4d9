"""What everybody may read without a key: cached representations, pages, pictures, sitemap and feeds."""
