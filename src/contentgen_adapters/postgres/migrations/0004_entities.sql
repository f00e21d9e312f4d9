-- How many passages a document was cut into: statistics add these up without looking at the passages.
ALTER TABLE kb_documents ADD COLUMN passages integer NOT NULL DEFAULT 0;
UPDATE kb_documents d SET passages = counted.n
    FROM (SELECT document_id, count(*) AS n FROM kb_passages GROUP BY document_id) counted
    WHERE counted.document_id = d.id;

-- What the documents of a scope name, as they write it, and how often: kept by whoever adds or removes documents, who
-- holds the scope's lock. Each import changes the rows of common names, so the pages keep room for new versions.
CREATE TABLE kb_entities (
    id        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    scope_id  integer          NOT NULL REFERENCES kb_scopes,
    key       text COLLATE "C" NOT NULL,
    name      text COLLATE "C" NOT NULL,
    type      text COLLATE "C" NOT NULL,
    mentions  integer          NOT NULL,
    passages  integer          NOT NULL,
    documents integer          NOT NULL,
    CONSTRAINT kb_entities_unique UNIQUE (scope_id, key, name, type)
) WITH (fillfactor = 70);

-- Which passages of a document name what: triples of 32-bit integers (passage, entity, mentions), little-endian, ordered.
-- One small row a document instead of one a mention: a graph reads all of a niche's.
CREATE TABLE kb_document_entities (
    document_id text COLLATE "C" PRIMARY KEY REFERENCES kb_documents,
    scope_id    integer NOT NULL,
    mentions    bytea   NOT NULL
);
CREATE INDEX kb_document_entities_of_scope ON kb_document_entities (scope_id, document_id);

-- What a model made of a tenant's entities of a niche or agent; NULL until it first answered.
CREATE TABLE kb_curations (
    tenant_id    text COLLATE "C" NOT NULL REFERENCES tenants,
    subject      text COLLATE "C" NOT NULL,
    requested_at timestamptz      NOT NULL,
    record       jsonb,
    PRIMARY KEY (tenant_id, subject)
);
