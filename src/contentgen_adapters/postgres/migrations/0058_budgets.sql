-- What models may take in a month: of a tenant (''), or of one of its agents. `unit` is 'tokens' or a currency, whose
-- amounts are in millionths.
CREATE TABLE budgets (
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
    agent_key text COLLATE "C" NOT NULL,
    unit      text COLLATE "C" NOT NULL,
    amount    bigint           NOT NULL CHECK (amount >= 0),
    set_at    timestamptz      NOT NULL,
    PRIMARY KEY (tenant_id, agent_key)
);

-- What they took, added as it is stored with the work. A currency of '' has tokens whose price is not known.
CREATE TABLE model_spending (
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
    month     date             NOT NULL,
    agent_key text COLLATE "C" NOT NULL,
    currency  text COLLATE "C" NOT NULL,
    tokens    bigint           NOT NULL,
    micros    bigint           NOT NULL,
    PRIMARY KEY (tenant_id, month, agent_key, currency)
) WITH (fillfactor = 50);  -- few rows, each written over and over

-- What work that goes on may still take, where a budget holds. That of an article (its id) counts while the article is being
-- written, so that none outlives a process that died; others count until they expire.
CREATE TABLE budget_reservations (
    id         text COLLATE "C" NOT NULL PRIMARY KEY,
    tenant_id  text COLLATE "C" NOT NULL REFERENCES tenants,
    agent_key  text COLLATE "C" NOT NULL,
    currency   text COLLATE "C" NOT NULL,
    tokens     bigint           NOT NULL,
    micros     bigint           NOT NULL,
    expires_at timestamptz
);
CREATE INDEX budget_reservations_of_tenant ON budget_reservations (tenant_id);

-- What the present month has spent already.
INSERT INTO model_spending
    SELECT tenant_id, month, agent_key, currency, sum(input_tokens + output_tokens), sum(micros)
    FROM writing_months
    WHERE month >= date_trunc('month', now() AT TIME ZONE 'UTC')::date AND input_tokens + output_tokens > 0
    GROUP BY tenant_id, month, agent_key, currency;
