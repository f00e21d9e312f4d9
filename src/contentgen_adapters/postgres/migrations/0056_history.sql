-- outside a transaction
-- What is over, by its age: it is deleted after a time. Runs and enrichments are found by their ids, which begin with it.
DROP INDEX CONCURRENTLY IF EXISTS translations_over;
CREATE INDEX CONCURRENTLY translations_over ON translations (id)
    WHERE made_article_id IS NULL AND record->>'status' <> 'translating';
DROP INDEX CONCURRENTLY IF EXISTS article_updates_over;
CREATE INDEX CONCURRENTLY article_updates_over ON article_updates (id) WHERE state NOT IN ('proposed', 'translating');
DROP INDEX CONCURRENTLY IF EXISTS quota_usage_by_window;
CREATE INDEX CONCURRENTLY quota_usage_by_window ON quota_usage (used_in);
