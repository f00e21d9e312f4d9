-- When a post that waits for its time is to appear; NULL: it does not wait.
ALTER TABLE publications ADD COLUMN due_at timestamptz;
UPDATE publications SET due_at = (record->'request'->>'scheduled_for')::timestamptz
    WHERE record->'request'->>'status' = 'scheduled'
    AND (record->>'status' = 'pending' OR (record->>'status' = 'published' AND record->>'post_status' = 'scheduled'
         AND coalesce(record->>'finding', '') <> 'deleted'));
-- accepted: require-concurrent-index-creation: has a row a post that waits
CREATE INDEX publications_by_due_date ON publications (tenant_id, due_at, id) WHERE due_at IS NOT NULL;
