-- outside a transaction
-- Documents whose date came after they were added, or is still to come: they have no age below zero.
DROP INDEX CONCURRENTLY IF EXISTS kb_documents_dated_later;
CREATE INDEX CONCURRENTLY kb_documents_dated_later ON kb_documents
    (scope_id, kb_known_at(published, fetched_at, created_at))
    WHERE deleted_at IS NULL AND kb_known_at(published, fetched_at, created_at) > created_at;
CALL count_documents_of_all_scopes();
