-- One row an area (a niche, or its part for one country): the last result, and the checkpoints of the run under way.
CREATE TABLE topic_coverages (
    id        text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
    area      text COLLATE "C" NOT NULL,  -- the niche's key, or the agent's
    record    jsonb            NOT NULL,
    revision  bigint           NOT NULL,
    CONSTRAINT topic_coverages_of_area UNIQUE (tenant_id, area)
) WITH (fillfactor = 50);  -- each is written a dozen times while it is computed

-- What a niche published of late: for its governance.
CREATE INDEX articles_published_of_niche ON articles (tenant_id, niche_key, published_at, id)
    WHERE status = 'published';
