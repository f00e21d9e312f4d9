"""The public part of the service: cached representations, pages, pictures, sitemap and feed."""
