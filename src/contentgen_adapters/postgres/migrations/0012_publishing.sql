-- Connections to publishing targets. What is secret in the record is encrypted by the application.
CREATE TABLE integrations (
    id         text COLLATE "C" PRIMARY KEY,
    tenant_id  text COLLATE "C" NOT NULL REFERENCES tenants,
    enabled    boolean          NOT NULL,
    created_at timestamptz      NOT NULL,
    record     jsonb            NOT NULL,
    revision   bigint           NOT NULL
);
CREATE INDEX integrations_of_tenant ON integrations (tenant_id, created_at, id);

-- One post at one target. They outlive their integration: what was published stays published.
CREATE TABLE publications (
    id             text COLLATE "C" PRIMARY KEY,
    tenant_id      text COLLATE "C" NOT NULL REFERENCES tenants,
    article_id     text COLLATE "C" REFERENCES articles ON DELETE CASCADE,  -- NULL: content that is no article
    integration_id text COLLATE "C" NOT NULL,
    created_at     timestamptz      NOT NULL,
    record         jsonb            NOT NULL,
    revision       bigint           NOT NULL,
    CONSTRAINT publications_of_article UNIQUE (article_id, integration_id)
) WITH (fillfactor = 50);  -- each is written several times
CREATE INDEX publications_of_tenant ON publications (tenant_id, article_id);
