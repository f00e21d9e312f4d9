"""What everybody may read: ready bytes, pictures, pages and lists for machines."""
