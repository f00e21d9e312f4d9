-- What happened to the agents of a tenant. Positions are counted for each tenant in a row of its own, which whoever
-- appends holds until the commit: only so are they visible in their order.
CREATE TABLE agent_event_positions (
    tenant_id text COLLATE "C" PRIMARY KEY REFERENCES tenants,
    last      bigint           NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE agent_events (
    tenant_id text COLLATE "C" NOT NULL,
    position  bigint           NOT NULL,
    at        timestamptz      NOT NULL,
    record    jsonb            NOT NULL,
    PRIMARY KEY (tenant_id, position)
);
CREATE INDEX agent_events_by_age ON agent_events (at);
