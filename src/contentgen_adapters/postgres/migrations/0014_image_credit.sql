-- Whose picture the featured image is, as its provider wants it told.
ALTER TABLE articles ADD COLUMN image_credit jsonb;
