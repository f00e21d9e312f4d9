-- What people look for in a niche, what answers it, and what to do about it.
CREATE TABLE search_demands (
    id        text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
    niche_id  text COLLATE "C" NOT NULL REFERENCES niches ON DELETE CASCADE,
    niche_key text COLLATE "C" NOT NULL,
    due_at    timestamptz,  -- NULL while it is looked at
    record    jsonb            NOT NULL,
    revision  bigint           NOT NULL
);
CREATE UNIQUE INDEX search_demands_of_niche ON search_demands (tenant_id, niche_key);
CREATE INDEX search_demands_due ON search_demands (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX search_demands_niche ON search_demands (niche_id);

CREATE TABLE search_coverages (
    demand_id text COLLATE "C" NOT NULL REFERENCES search_demands ON DELETE CASCADE,
    query     text COLLATE "C" NOT NULL,
    state     text             NOT NULL,
    record    jsonb            NOT NULL,
    PRIMARY KEY (demand_id, query)
);

CREATE TABLE search_entries (
    id              text COLLATE "C" PRIMARY KEY,
    tenant_id       text COLLATE "C" NOT NULL REFERENCES tenants,
    demand_id       text COLLATE "C" NOT NULL REFERENCES search_demands ON DELETE CASCADE,
    niche_key       text COLLATE "C" NOT NULL,
    queue           text             NOT NULL,
    gain            double precision NOT NULL,
    dismissed_until timestamptz,
    record          jsonb            NOT NULL
);
CREATE INDEX search_entries_of_niche ON search_entries (tenant_id, niche_key, gain DESC, id);
CREATE INDEX search_entries_of_queue ON search_entries (tenant_id, niche_key, queue, gain DESC, id);
CREATE INDEX search_entries_of_demand ON search_entries (demand_id);
