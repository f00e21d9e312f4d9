-- Sites whose changed pages are told to search engines, and the pages that are to be told.
CREATE TABLE index_now_sites (
    id        text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
    host      text COLLATE "C" NOT NULL,
    key       text COLLATE "C" NOT NULL,
    due_at    timestamptz,  -- NULL while a submission is under way
    record    jsonb            NOT NULL,
    revision  bigint           NOT NULL
);
CREATE UNIQUE INDEX index_now_sites_of_host ON index_now_sites (tenant_id, host);
CREATE INDEX index_now_sites_by_key ON index_now_sites (key);
CREATE INDEX index_now_sites_due ON index_now_sites (due_at, id) WHERE due_at IS NOT NULL;

CREATE TABLE noted_addresses (
    site_id  text COLLATE "C" NOT NULL REFERENCES index_now_sites ON DELETE CASCADE,
    address  text COLLATE "C" NOT NULL,
    noted_at timestamptz      NOT NULL,
    PRIMARY KEY (site_id, address)
);
CREATE INDEX noted_addresses_in_order ON noted_addresses (site_id, noted_at, address);
