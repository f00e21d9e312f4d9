-- Sentences of a knowledge base that contradict each other, the searches that find them, and what these have seen.
-- `changed_at`: since when a search has documents to look at; `idle`: whether no job is at it.
CREATE TABLE conflict_searches (
    id         text COLLATE "C" PRIMARY KEY,
    tenant_id  text COLLATE "C" NOT NULL REFERENCES tenants,
    niche_id   text COLLATE "C" NOT NULL REFERENCES niches ON DELETE CASCADE,
    niche_key  text COLLATE "C" NOT NULL,
    changed_at timestamptz,
    idle       boolean          NOT NULL,
    record     jsonb            NOT NULL,
    revision   bigint           NOT NULL
);
CREATE UNIQUE INDEX conflict_searches_of_niche ON conflict_searches (tenant_id, niche_key);
CREATE INDEX conflict_searches_niche ON conflict_searches (niche_id);
CREATE INDEX conflict_searches_key ON conflict_searches (niche_key);
CREATE INDEX conflict_searches_due ON conflict_searches (changed_at, id) WHERE changed_at IS NOT NULL AND idle;

-- `losing_document`: of the side that a person did not prefer.
CREATE TABLE conflicts (
    id              text COLLATE "C" PRIMARY KEY,
    tenant_id       text COLLATE "C" NOT NULL REFERENCES tenants,
    search_id       text COLLATE "C" NOT NULL REFERENCES conflict_searches ON DELETE CASCADE,
    niche_key       text COLLATE "C" NOT NULL,
    key             text COLLATE "C" NOT NULL,
    state           text             NOT NULL,
    one_document    text COLLATE "C" NOT NULL,
    other_document  text COLLATE "C" NOT NULL,
    losing_document text COLLATE "C",
    record          jsonb            NOT NULL,
    revision        bigint           NOT NULL
);
CREATE UNIQUE INDEX conflicts_once ON conflicts (search_id, key);
CREATE INDEX conflicts_of_tenant ON conflicts (tenant_id);
CREATE INDEX conflicts_of_search ON conflicts (search_id, id);
CREATE INDEX conflicts_in_state ON conflicts (search_id, state, id);
CREATE INDEX conflicts_one ON conflicts (search_id, one_document) WHERE state <> 'outdated';
CREATE INDEX conflicts_other ON conflicts (search_id, other_document) WHERE state <> 'outdated';
CREATE INDEX conflicts_lost ON conflicts (tenant_id, losing_document) WHERE losing_document IS NOT NULL;

CREATE TABLE examined_documents (
    search_id   text COLLATE "C" NOT NULL REFERENCES conflict_searches ON DELETE CASCADE,
    document_id text COLLATE "C" NOT NULL,
    fingerprint text             NOT NULL,
    passages    jsonb            NOT NULL,
    PRIMARY KEY (search_id, document_id)
);
CREATE INDEX examined_documents_document ON examined_documents (document_id);
