-- How well the knowledge base covered an article's topic when its sources were chosen; null before that, and in articles
-- that were written before it was kept.
ALTER TABLE articles
    ADD COLUMN coverage_level   text COLLATE "C",
    ADD COLUMN coverage_score   double precision,
    ADD COLUMN coverage_missing text[];
