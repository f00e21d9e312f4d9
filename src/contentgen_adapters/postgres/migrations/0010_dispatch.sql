-- When workers were last told, through a broker, that a job waits; NULL when they have to be told. Nobody else looks at it.
ALTER TABLE jobs ADD COLUMN dispatched_at timestamptz;
CREATE INDEX jobs_undispatched ON jobs (run_at, id) WHERE state = 'queued' AND dispatched_at IS NULL;
