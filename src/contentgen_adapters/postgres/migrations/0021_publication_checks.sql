-- When the target is to be looked at next; NULL: never. What was published before is looked at from now on.
ALTER TABLE publications ADD COLUMN check_at timestamptz;
UPDATE publications SET check_at = now()
    WHERE record->>'remote_id' IS NOT NULL AND record->>'status' <> 'pending';
-- accepted: require-concurrent-index-creation: has a row a post, built within a second for a million
CREATE INDEX publications_by_check ON publications (check_at) WHERE check_at IS NOT NULL;
