-- When an item of a source was last read, and as which version.
ALTER TABLE synced_items ADD COLUMN version text, ADD COLUMN read_at timestamptz;
