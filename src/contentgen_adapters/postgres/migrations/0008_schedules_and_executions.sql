-- When the agents of a niche write by themselves. The settings are the tenant's own JSON; what is searched for is the
-- moment of the next run, of those that have one.
CREATE TABLE article_schedules (
    tenant_id    text COLLATE "C" NOT NULL REFERENCES tenants,
    niche_id     text COLLATE "C" NOT NULL REFERENCES niches ON DELETE CASCADE,
    next_fire_at timestamptz,
    record       jsonb            NOT NULL,
    revision     bigint           NOT NULL,
    PRIMARY KEY (tenant_id, niche_id)
) WITH (fillfactor = 70);
CREATE INDEX article_schedules_due ON article_schedules (next_fire_at) WHERE next_fire_at IS NOT NULL;
CREATE INDEX article_schedules_of_niche ON article_schedules (niche_id);

-- Runs of agents. No reference to the agent: what it did stays when it goes, and a system agent runs for many tenants.
CREATE TABLE executions (
    id         text COLLATE "C" PRIMARY KEY,
    tenant_id  text COLLATE "C" NOT NULL REFERENCES tenants,
    agent_id   text COLLATE "C" NOT NULL,
    status     text COLLATE "C" NOT NULL,
    fire_at    timestamptz,
    created_at timestamptz      NOT NULL,
    record     jsonb            NOT NULL,
    revision   bigint           NOT NULL
) WITH (fillfactor = 50);  -- each is written a few times while it runs
-- An agent runs once at a time, and once for each moment of its schedule, whoever comes first.
CREATE UNIQUE INDEX executions_under_way ON executions (tenant_id, agent_id) WHERE status IN ('queued', 'running');
CREATE UNIQUE INDEX executions_fired ON executions (tenant_id, agent_id, fire_at) WHERE fire_at IS NOT NULL;
CREATE INDEX executions_of_agent ON executions (tenant_id, agent_id, created_at, id);
