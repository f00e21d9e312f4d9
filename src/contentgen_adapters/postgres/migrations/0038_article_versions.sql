-- Versions of articles' texts: who changed them and when. `published`: those that are kept however old they are.
CREATE TABLE article_versions (
    article_id text COLLATE "C" NOT NULL REFERENCES articles ON DELETE CASCADE,
    number     integer          NOT NULL,
    tenant_id  text COLLATE "C" NOT NULL REFERENCES tenants,
    text_hash  text COLLATE "C" NOT NULL,
    published  boolean          NOT NULL,
    record     jsonb            NOT NULL,
    text       jsonb            NOT NULL,
    PRIMARY KEY (article_id, number)
);
CREATE INDEX article_versions_of_tenant ON article_versions (tenant_id);
