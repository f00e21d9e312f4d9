-- Tokens that models read from what their vendor had kept of an earlier request. A default that is no expression of a row
-- is kept beside the table, which is not written over.
ALTER TABLE writing_months ADD COLUMN cached_tokens bigint NOT NULL DEFAULT 0;
