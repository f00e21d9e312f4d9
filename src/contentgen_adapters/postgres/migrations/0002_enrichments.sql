-- Enrichments of the knowledge base from the web. What nobody searches or sorts by is in `record`, as JSON of the model.
CREATE TABLE enrichments (
    id         text COLLATE "C" PRIMARY KEY,
    tenant_id  text COLLATE "C" NOT NULL REFERENCES tenants,
    created_at timestamptz      NOT NULL,
    record     jsonb            NOT NULL,
    revision   bigint           NOT NULL
) WITH (fillfactor = 70);  -- each is written over a dozen times while it runs
CREATE INDEX enrichments_of_tenant ON enrichments (tenant_id, created_at, id);

-- The pages of an enrichment under way, with their texts: what a later attempt need not fetch again.
CREATE TABLE enrichment_pages (
    enrichment_id text COLLATE "C" NOT NULL REFERENCES enrichments ON DELETE CASCADE,
    position      integer          NOT NULL,
    page          jsonb            NOT NULL,
    PRIMARY KEY (enrichment_id, position)
);

-- The date that a page gives itself.
ALTER TABLE kb_documents ADD COLUMN published date;
