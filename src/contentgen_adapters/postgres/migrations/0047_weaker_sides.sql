-- The document of a conflict's weaker side, and since when it is that one: articles that rest on it are looked at again.
ALTER TABLE conflicts ADD COLUMN weaker_document text COLLATE "C", ADD COLUMN weaker_since timestamptz;
UPDATE conflicts SET
    weaker_since = coalesce(record->>'decided_at', record->>'found_at')::timestamptz,
    weaker_document = CASE
        WHEN state = 'decided' THEN losing_document
        WHEN one_said < other_said THEN one_document
        WHEN one_said > other_said THEN other_document
    END
FROM (
    SELECT id AS said_in,
        coalesce(record->'one'->>'published', left(record->'one'->>'known_at', 10)) AS one_said,
        coalesce(record->'other'->>'published', left(record->'other'->>'known_at', 10)) AS other_said
    FROM conflicts
) said
WHERE said_in = id AND state <> 'outdated';
CREATE INDEX conflicts_weaker ON conflicts (tenant_id, weaker_document) WHERE weaker_document IS NOT NULL;
