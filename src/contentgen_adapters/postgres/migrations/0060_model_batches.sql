-- How an article's parts are asked for: NULL at once, else as `Processing` names it.
ALTER TABLE articles ADD COLUMN processing text COLLATE "C";

-- Questions to a model that a vendor answers together. A batch is deleted once each part has its answer or is given up.
CREATE TABLE model_batches (
    id         text COLLATE "C" NOT NULL PRIMARY KEY,
    tenant_id  text COLLATE "C" NOT NULL REFERENCES tenants,
    provider   text COLLATE "C" NOT NULL,
    model      text COLLATE "C" NOT NULL,
    state      text COLLATE "C" NOT NULL,
    record     jsonb            NOT NULL,
    revision   bigint           NOT NULL
);
CREATE INDEX model_batches_collecting ON model_batches (tenant_id, id) WHERE state = 'collecting';
CREATE INDEX model_batches_submitted ON model_batches ((record->>'vendor_id')) WHERE state = 'submitted';
CREATE INDEX model_batches_of_tenant ON model_batches (tenant_id);

-- The parts of articles that are asked for so. Batches are no parents of theirs: parts outlive them.
CREATE TABLE batched_parts (
    id         text COLLATE "C" NOT NULL PRIMARY KEY,
    batch_id   text COLLATE "C" NOT NULL,
    tenant_id  text COLLATE "C" NOT NULL REFERENCES tenants,
    article_id text COLLATE "C" NOT NULL REFERENCES articles ON DELETE CASCADE,
    position   integer          NOT NULL,
    question   text             NOT NULL,
    state      text COLLATE "C" NOT NULL,
    answer     jsonb,
    CONSTRAINT batched_parts_once UNIQUE (article_id, position)
);
CREATE INDEX batched_parts_waiting ON batched_parts (batch_id) WHERE state = 'waiting';
CREATE INDEX batched_parts_of_tenant ON batched_parts (tenant_id);
