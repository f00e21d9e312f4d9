-- How many documents and passages a scope has of each kind, kept by triggers in the transaction that changes them: the
-- figures of a knowledge base cost the same however many documents it has. Whoever changes documents holds the lock of
-- their scope, so that nobody waits here who did not wait there.

-- The date that a document's age is counted from: what its source states, else when it was fetched, else added.
CREATE FUNCTION kb_known_at(published date, fetched_at timestamptz, created_at timestamptz) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(published::timestamp AT TIME ZONE 'UTC', fetched_at, created_at);

CREATE TABLE kb_document_counts (
    scope_id  integer          NOT NULL REFERENCES kb_scopes,
    origin    text COLLATE "C" NOT NULL,
    language  text COLLATE "C" NOT NULL,
    documents bigint           NOT NULL,
    listed    bigint           NOT NULL,  -- of them those that have passages
    passages  bigint           NOT NULL,
    known_at  numeric          NOT NULL,  -- the sum of the dates that their passages' ages are counted from, as epochs
    PRIMARY KEY (scope_id, origin, language)
) WITH (fillfactor = 50);  -- few rows, each written over and over

CREATE FUNCTION count_kb_documents() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO kb_document_counts AS c (scope_id, origin, language, documents, listed, passages, known_at)
            SELECT scope_id, origin, language, count(*), count(*) FILTER (WHERE passages > 0), sum(passages),
                   sum(passages * extract(epoch FROM kb_known_at(published, fetched_at, created_at)))
            FROM came WHERE deleted_at IS NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
            ON CONFLICT (scope_id, origin, language) DO UPDATE
            SET documents = c.documents + excluded.documents, listed = c.listed + excluded.listed,
                passages = c.passages + excluded.passages, known_at = c.known_at + excluded.known_at;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        UPDATE kb_document_counts AS c
            SET documents = c.documents - w.documents, listed = c.listed - w.listed,
                passages = c.passages - w.passages, known_at = c.known_at - w.known_at
            FROM (SELECT scope_id, origin, language, count(*) AS documents,
                         count(*) FILTER (WHERE passages > 0) AS listed, sum(passages) AS passages,
                         sum(passages * extract(epoch FROM kb_known_at(published, fetched_at, created_at))) AS known_at
                  FROM went WHERE deleted_at IS NULL GROUP BY 1, 2, 3) AS w
            WHERE (c.scope_id, c.origin, c.language) = (w.scope_id, w.origin, w.language);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER kb_documents_counted_in AFTER INSERT ON kb_documents
    REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION count_kb_documents();
CREATE TRIGGER kb_documents_counted_over AFTER UPDATE ON kb_documents
    REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION count_kb_documents();
CREATE TRIGGER kb_documents_counted_out AFTER DELETE ON kb_documents
    REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION count_kb_documents();

-- For the next migration: counts what was there before, scope by scope, each in a transaction of its own that holds the
-- scope's lock, as all do that change its documents.
CREATE PROCEDURE count_documents_of_all_scopes() LANGUAGE plpgsql AS $$
DECLARE
    scope integer;
BEGIN
    FOR scope IN SELECT id FROM kb_scopes ORDER BY id LOOP
        PERFORM 1 FROM kb_scopes WHERE id = scope FOR NO KEY UPDATE;
        DELETE FROM kb_document_counts WHERE scope_id = scope;
        INSERT INTO kb_document_counts (scope_id, origin, language, documents, listed, passages, known_at)
            SELECT scope, origin, language, count(*), count(*) FILTER (WHERE passages > 0), sum(passages),
                   sum(passages * extract(epoch FROM kb_known_at(published, fetched_at, created_at)))
            FROM kb_documents WHERE scope_id = scope AND deleted_at IS NULL GROUP BY 2, 3;
        COMMIT;
    END LOOP;
END $$;
