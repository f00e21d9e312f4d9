-- The article that an article is a translation of. No reference: where a text came from stays true when that is deleted.
ALTER TABLE articles ADD COLUMN translation_of text COLLATE "C";

-- Translations of articles, texts and documents. What nobody searches is in `record`, as JSON of the model.
CREATE TABLE translations (
    id              text COLLATE "C" PRIMARY KEY,
    tenant_id       text COLLATE "C" NOT NULL REFERENCES tenants,
    made_article_id text COLLATE "C" REFERENCES articles ON DELETE CASCADE,  -- NULL: a text or a document
    created_at      timestamptz      NOT NULL,
    record          jsonb            NOT NULL,
    revision        bigint           NOT NULL
);
CREATE INDEX translations_of_tenant ON translations (tenant_id, created_at, id);
CREATE UNIQUE INDEX translations_of_article ON translations (made_article_id);

-- What a translation under way has of its text: what a later attempt need not ask a model for again.
CREATE TABLE translation_parts (
    translation_id text COLLATE "C" NOT NULL REFERENCES translations ON DELETE CASCADE,
    position       integer          NOT NULL,
    part           jsonb            NOT NULL,
    PRIMARY KEY (translation_id, position)
);
