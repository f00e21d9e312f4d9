-- outside a transaction
-- An endpoint is one tenant's: without knowing that, the planner reads and sorts all of its deliveries for a page.
CREATE STATISTICS IF NOT EXISTS webhook_deliveries_owner (dependencies) ON endpoint_id, tenant_id FROM webhook_deliveries;
ANALYZE webhook_deliveries;
-- The addresses that a tenant's articles were published at, the newest first.
DROP INDEX CONCURRENTLY IF EXISTS publications_with_address;
CREATE INDEX CONCURRENTLY publications_with_address ON publications (tenant_id, created_at, id)
    WHERE record->>'url' IS NOT NULL AND record->>'status' = 'published';
-- Tenants whose schedules stand still: looked for each second among all.
DROP INDEX CONCURRENTLY IF EXISTS tenants_suspended;
CREATE INDEX CONCURRENTLY tenants_suspended ON tenants (id) WHERE suspended_at IS NOT NULL;
-- The newest documents that have passages, in their order: with any other index, those of a large scope would be sorted.
DROP INDEX CONCURRENTLY IF EXISTS kb_documents_live_listed;
CREATE INDEX CONCURRENTLY kb_documents_live_listed ON kb_documents (scope_id, created_at, id)
    WHERE deleted_at IS NULL AND passages > 0;
