-- outside a transaction
-- The index of the words of public topics says that it is of topics whose words were read. Without that the planner took
-- it for one of public articles in general, and read all of a language's for a page of them.
DROP INDEX CONCURRENTLY IF EXISTS articles_read_topic_terms;
CREATE INDEX CONCURRENTLY articles_read_topic_terms ON articles USING gin (topic_terms)
    WHERE topic_terms IS NOT NULL AND (is_public OR is_free_generation);
DROP INDEX CONCURRENTLY IF EXISTS articles_topic_terms;
