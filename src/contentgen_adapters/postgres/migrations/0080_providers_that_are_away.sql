-- What a job waits for, and what an article that is being written shows of that.
ALTER TABLE jobs
    ADD COLUMN waiting_for text COLLATE "C",
    ADD COLUMN waiting_since timestamptz;
ALTER TABLE articles ADD COLUMN waiting jsonb;

-- How the latest calls of a provider went, for all processes together.
CREATE TABLE circuits (
    name     text COLLATE "C" NOT NULL PRIMARY KEY,
    provider text             NOT NULL DEFAULT '',
    failures integer          NOT NULL DEFAULT 0,
    reason   text             NOT NULL DEFAULT '',
    since    timestamptz,
    trial_at timestamptz,
    noticed  boolean          NOT NULL DEFAULT false
);
