-- Two switches of an agent's; of one that was never changed since, the creation is the last change.
ALTER TABLE agents
    ADD COLUMN websearch_premium boolean NOT NULL DEFAULT true,
    ADD COLUMN updated_at        timestamptz;

-- What a tenant set for a niche beside its activation, kept while it is not activated. json, not jsonb: what a client
-- keeps there is given back in its own order.
CREATE TABLE niche_preferences (
    tenant_id         text COLLATE "C" NOT NULL REFERENCES tenants,
    niche_key         text COLLATE "C" NOT NULL,
    websearch_premium boolean          NOT NULL,
    settings          json             NOT NULL,
    PRIMARY KEY (tenant_id, niche_key)
);

-- Wishes for niches, for the operator.
CREATE TABLE niche_requests (
    id          text COLLATE "C" PRIMARY KEY,
    tenant_id   text COLLATE "C" NOT NULL REFERENCES tenants,
    name        text             NOT NULL,
    name_digest bytea            NOT NULL,  -- SHA-256 of the name as it is compared
    description text,
    created_at  timestamptz      NOT NULL,
    CONSTRAINT niche_requests_name_unique UNIQUE (tenant_id, name_digest)
);
CREATE INDEX niche_requests_by_creation ON niche_requests (created_at, id);
