-- What documents were until they were revised: their passages by index, in their order. Their texts are those of
-- kb_passage_versions, or still those of kb_passages.
CREATE TABLE kb_document_versions (
    document_id   text COLLATE "C" NOT NULL REFERENCES kb_documents,
    number        bigint           GENERATED ALWAYS AS IDENTITY,
    since         timestamptz      NOT NULL,
    until         timestamptz      NOT NULL,
    title         text             NOT NULL,
    chunk_indexes integer[]        NOT NULL,
    PRIMARY KEY (document_id, number)
);
