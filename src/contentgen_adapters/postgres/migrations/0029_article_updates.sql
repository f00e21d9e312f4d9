-- Updates of articles whose sources changed, and the policies by which they are looked for.
CREATE TABLE article_updates (
    id         text COLLATE "C" PRIMARY KEY,
    tenant_id  text COLLATE "C" NOT NULL REFERENCES tenants,
    article_id text COLLATE "C" NOT NULL REFERENCES articles ON DELETE CASCADE,
    state      text             NOT NULL,
    record     jsonb            NOT NULL,
    revision   bigint           NOT NULL
);
CREATE INDEX article_updates_of_tenant ON article_updates (tenant_id, id);
CREATE INDEX article_updates_in_state ON article_updates (tenant_id, state, id);
CREATE INDEX article_updates_of_article ON article_updates (article_id, id);
CREATE UNIQUE INDEX article_updates_open ON article_updates (article_id) WHERE state = 'proposed';

CREATE TABLE refresh_policies (
    id        text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
    niche_id  text COLLATE "C" NOT NULL REFERENCES niches ON DELETE CASCADE,
    niche_key text COLLATE "C" NOT NULL,
    next_at   timestamptz      NOT NULL,
    record    jsonb            NOT NULL,
    revision  bigint           NOT NULL
);
CREATE UNIQUE INDEX refresh_policies_of_niche ON refresh_policies (tenant_id, niche_key);
CREATE INDEX refresh_policies_due ON refresh_policies (next_at, id);
CREATE INDEX refresh_policies_niche ON refresh_policies (niche_id);
