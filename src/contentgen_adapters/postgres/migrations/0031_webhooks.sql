-- Webhook endpoints, the events that are sent to them, and each event's way to each endpoint.
CREATE TABLE webhook_endpoints (
    id            text COLLATE "C" PRIMARY KEY,
    tenant_id     text COLLATE "C" NOT NULL REFERENCES tenants,
    enabled       boolean          NOT NULL,
    events        text[],
    failing_since timestamptz,
    record        jsonb            NOT NULL,
    revision      bigint           NOT NULL
);
CREATE INDEX webhook_endpoints_of_tenant ON webhook_endpoints (tenant_id, id);

CREATE TABLE webhook_messages (
    id        text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
    type      text             NOT NULL,
    at        timestamptz      NOT NULL,
    data      jsonb            NOT NULL
);
CREATE INDEX webhook_messages_of_tenant ON webhook_messages (tenant_id);

CREATE TABLE webhook_deliveries (
    endpoint_id  text COLLATE "C" NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
    message_id   text COLLATE "C" NOT NULL REFERENCES webhook_messages ON DELETE CASCADE,
    tenant_id    text COLLATE "C" NOT NULL,
    state        text             NOT NULL,
    due_at       timestamptz      NOT NULL,
    tries        integer          NOT NULL,
    attempts     jsonb            NOT NULL,
    claim_number integer          NOT NULL,
    worker       text,
    PRIMARY KEY (endpoint_id, message_id)
);
CREATE INDEX webhook_deliveries_in_state ON webhook_deliveries (endpoint_id, state, message_id);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, due_at, message_id) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (endpoint_id, due_at) WHERE worker IS NOT NULL;
CREATE INDEX webhook_deliveries_of_message ON webhook_deliveries (message_id);
CREATE INDEX webhook_deliveries_of_tenant ON webhook_deliveries (tenant_id);
