-- outside a transaction
-- The tenants that have something queued of a kind, and of each the longest due first.
DROP INDEX CONCURRENTLY IF EXISTS jobs_in_turn;
CREATE INDEX CONCURRENTLY jobs_in_turn ON jobs (kind, tenant_id, run_at, id) WHERE state = 'queued';
-- What is in the queue of the workers, of each tenant; it takes the place of what was not.
DROP INDEX CONCURRENTLY IF EXISTS jobs_dispatched;
CREATE INDEX CONCURRENTLY jobs_dispatched ON jobs (tenant_id) WHERE state = 'queued' AND dispatched_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS jobs_undispatched;
