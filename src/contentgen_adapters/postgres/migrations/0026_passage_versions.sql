-- A document that changes keeps its id, and its passages theirs. `next_chunk`: from which on no passage ever had an
-- index; NULL: that after the highest there is. `place`: where a passage stands in its document; NULL: at its index.
ALTER TABLE kb_documents ADD COLUMN revised_at timestamptz, ADD COLUMN next_chunk integer;
ALTER TABLE kb_passages ADD COLUMN place integer;

-- What passages said before their document was revised.
CREATE TABLE kb_passage_versions (
    document_id text COLLATE "C" NOT NULL REFERENCES kb_documents,
    number      bigint           GENERATED ALWAYS AS IDENTITY,
    chunk_index integer          NOT NULL,
    heading     text             NOT NULL,
    text        text             NOT NULL,
    replaced_at timestamptz      NOT NULL,
    PRIMARY KEY (document_id, number)
);
