-- The documents that say the same as a side of a conflict, so that it is found when one of them changes or goes.
ALTER TABLE conflicts ADD COLUMN witnesses text[] COLLATE "C" NOT NULL DEFAULT '{}';
UPDATE conflicts SET witnesses = ARRAY(
    SELECT DISTINCT witness->>'document_id'
    FROM jsonb_array_elements(record->'one'->'witnesses' || record->'other'->'witnesses') AS witness
);
CREATE INDEX conflicts_witnesses ON conflicts USING gin (witnesses);
