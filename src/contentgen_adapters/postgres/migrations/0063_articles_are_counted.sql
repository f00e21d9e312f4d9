-- outside a transaction
-- They were counted with it.
DROP INDEX CONCURRENTLY IF EXISTS articles_to_count;
