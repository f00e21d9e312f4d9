-- What people look through a knowledge base by: words of titles, kinds of documents, and the articles that rest on them.

-- A title's words without case, as a search folds it. Titles are cut, since a lexeme has at most 2,046 bytes.
CREATE FUNCTION kb_title_words(title text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN array_to_tsvector(array_remove(
        regexp_split_to_array(replace(lower(normalize(left(title, 500), NFC)), 'ß', 'ss'), '\W+'), ''));
CREATE INDEX kb_documents_live_words ON kb_documents USING gin (kb_title_words(title)) WITH (fastupdate = off)
    WHERE deleted_at IS NULL AND passages > 0;
CREATE INDEX kb_documents_live_kinds ON kb_documents (scope_id, origin, language, created_at, id)
    WHERE deleted_at IS NULL AND passages > 0;

-- The documents among an article's sources, kept by triggers in the transaction that changes them.
CREATE TABLE article_sources (
    tenant_id   text COLLATE "C" NOT NULL,
    document_id text COLLATE "C" NOT NULL,
    article_id  text COLLATE "C" NOT NULL REFERENCES articles ON DELETE CASCADE,
    PRIMARY KEY (tenant_id, document_id, article_id)
);
CREATE INDEX article_sources_of_article ON article_sources (article_id);

CREATE FUNCTION keep_article_sources() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    named text[] := ARRAY(SELECT DISTINCT source->>'parent_id' FROM jsonb_array_elements(NEW.sources) AS source);
BEGIN
    DELETE FROM article_sources WHERE article_id = NEW.id AND document_id <> ALL (named);
    INSERT INTO article_sources (tenant_id, document_id, article_id)
        SELECT NEW.tenant_id, document, NEW.id FROM unnest(named) AS document ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

-- These wait for transactions that are writing articles, so that what is read below misses nothing.
CREATE TRIGGER article_sources_added AFTER INSERT ON articles FOR EACH ROW
    WHEN (NEW.sources <> '[]'::jsonb) EXECUTE FUNCTION keep_article_sources();
CREATE TRIGGER article_sources_changed AFTER UPDATE OF sources ON articles FOR EACH ROW
    WHEN (OLD.sources IS DISTINCT FROM NEW.sources) EXECUTE FUNCTION keep_article_sources();
INSERT INTO article_sources (tenant_id, document_id, article_id)
    SELECT DISTINCT a.tenant_id, source->>'parent_id', a.id
        FROM articles a CROSS JOIN LATERAL jsonb_array_elements(a.sources) AS source;
