-- outside a transaction
-- For the next migration: it counts all articles while nobody may write any, from this index alone.
DROP INDEX CONCURRENTLY IF EXISTS articles_to_count;
CREATE INDEX CONCURRENTLY articles_to_count ON articles (tenant_id, niche_key, status, language, approval_state);
