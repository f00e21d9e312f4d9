-- The stages of an article's writing, each when it came to its end. They stay with the article.
CREATE TABLE generation_stages (
    id         bigint           NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    article_id text COLLATE "C" NOT NULL REFERENCES articles ON DELETE CASCADE,
    started_at timestamptz      NOT NULL,
    stage      jsonb            NOT NULL
);
CREATE INDEX generation_stages_of_article ON generation_stages (article_id, started_at, id);

-- What was written in each month, summed as it ends: pages of figures read some hundred rows, however many articles there
-- are, and what was paid for an article stays when it is deleted. An article without an agent, a model or a price has ''.
CREATE TABLE writing_months (
    tenant_id     text COLLATE "C" NOT NULL REFERENCES tenants,
    month         date             NOT NULL,
    agent_key     text COLLATE "C" NOT NULL,
    model         text COLLATE "C" NOT NULL,
    currency      text COLLATE "C" NOT NULL,
    written       bigint           NOT NULL,
    failed        bigint           NOT NULL,
    words         bigint           NOT NULL,
    covered       bigint           NOT NULL,
    coverage      double precision NOT NULL,
    sentences     bigint           NOT NULL,
    supported     bigint           NOT NULL,
    input_tokens  bigint           NOT NULL,
    output_tokens bigint           NOT NULL,
    unpriced      bigint           NOT NULL,
    micros        bigint           NOT NULL,
    PRIMARY KEY (tenant_id, month, agent_key, model, currency)
) WITH (fillfactor = 50);  -- few rows, each written over and over
CREATE INDEX writing_months_of_all ON writing_months (month);

-- What was written before. Receipts are not read for it: they are large, so that of these the support is not known.
INSERT INTO writing_months
    SELECT tenant_id,
           date_trunc('month', created_at AT TIME ZONE 'UTC')::date,
           coalesce(agent_niche_key || '-' || agent_country, ''),
           coalesce(usage ->> 'model', ''),
           coalesce(usage -> 'cost' ->> 'currency', ''),
           count(*) FILTER (WHERE status <> 'failed'),
           count(*) FILTER (WHERE status = 'failed'),
           coalesce(sum(word_count) FILTER (WHERE status <> 'failed'), 0),
           count(coverage_score) FILTER (WHERE status <> 'failed'),
           coalesce(sum(coverage_score) FILTER (WHERE status <> 'failed'), 0),
           0,
           0,
           coalesce(sum((usage ->> 'input_tokens')::bigint), 0),
           coalesce(sum((usage ->> 'output_tokens')::bigint), 0),
           count(*) FILTER (WHERE (usage ->> 'input_tokens')::bigint + (usage ->> 'output_tokens')::bigint > 0
                                  AND usage -> 'cost' ->> 'currency' IS NULL),
           coalesce(sum((usage -> 'cost' ->> 'micros')::bigint), 0)
    FROM articles
    WHERE translation_of IS NULL AND (status = 'failed' OR status <> 'generating' AND word_count > 0)
    GROUP BY 1, 2, 3, 4, 5;
