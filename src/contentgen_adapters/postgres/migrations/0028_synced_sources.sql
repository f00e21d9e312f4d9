-- Sources that a tenant's knowledge base follows, and what is known of their items.
CREATE TABLE synced_sources (
    id           text COLLATE "C" PRIMARY KEY,
    tenant_id    text COLLATE "C" NOT NULL REFERENCES tenants,
    created_at   timestamptz      NOT NULL,
    next_sync_at timestamptz,  -- NULL while it is paused
    record       jsonb            NOT NULL,
    revision     bigint           NOT NULL
);
CREATE INDEX synced_sources_of_tenant ON synced_sources (tenant_id, created_at, id);
CREATE INDEX synced_sources_due ON synced_sources (next_sync_at, id) WHERE next_sync_at IS NOT NULL;

CREATE TABLE synced_items (
    source_id     text COLLATE "C" NOT NULL REFERENCES synced_sources ON DELETE CASCADE,
    key           text COLLATE "C" NOT NULL,
    seen_at       timestamptz      NOT NULL,
    fingerprint   text,
    title         text,
    document_id   text COLLATE "C",
    content_hash  text COLLATE "C",
    added_at      timestamptz,
    changed_at    timestamptz,
    missing_since timestamptz,
    skipped       text,
    PRIMARY KEY (source_id, key)
);
CREATE INDEX synced_items_missing ON synced_items (source_id, missing_since, key) WHERE missing_since IS NOT NULL;
CREATE INDEX synced_items_skipped ON synced_items (source_id, key) WHERE skipped IS NOT NULL;
