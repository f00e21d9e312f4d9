-- Spaces of vectors: each an embedding model that some process uses. `whole`: all documents that were there when it was
-- first used have been queued.
CREATE TABLE embedding_spaces (
    id        smallint    GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    model     text        COLLATE "C" NOT NULL,
    dimension integer     NOT NULL,
    whole     boolean     NOT NULL DEFAULT false,
    used_at   timestamptz NOT NULL,
    UNIQUE (model, dimension)
);

-- Documents that wait for vectors, in each space. What a question has found comes first, then what waits longest.
CREATE TABLE kb_documents_to_embed (
    space_id     smallint         NOT NULL,
    document_id  text COLLATE "C" NOT NULL,
    scope_id     integer          NOT NULL,
    place        bigint           GENERATED ALWAYS AS IDENTITY,
    asked        boolean          NOT NULL DEFAULT false,
    embedded     integer          NOT NULL DEFAULT 0,  -- of its passages, by now
    attempts     integer          NOT NULL DEFAULT 0,  -- that failed
    worker       text COLLATE "C",
    leased_until timestamptz,
    PRIMARY KEY (space_id, document_id)
) WITH (fillfactor = 70);
CREATE INDEX kb_documents_to_embed_next ON kb_documents_to_embed (space_id, asked DESC, place);
CREATE INDEX kb_documents_to_embed_of_scope ON kb_documents_to_embed (space_id, scope_id);
CREATE INDEX kb_documents_to_embed_of_document ON kb_documents_to_embed (document_id);

-- Numbers of 16 bits, each a multiple of 1/16384, the lower byte first. They go with their passage.
CREATE TABLE kb_passage_vectors (
    space_id    smallint         NOT NULL,
    document_id text COLLATE "C" NOT NULL,
    chunk_index integer          NOT NULL,
    text_hash   bytea            NOT NULL,
    vector      bytea            NOT NULL,
    PRIMARY KEY (document_id, chunk_index, space_id),
    FOREIGN KEY (document_id, chunk_index) REFERENCES kb_passages ON DELETE CASCADE
);
CREATE INDEX kb_passage_vectors_of_text ON kb_passage_vectors (space_id, text_hash);
