-- Lists of publications, the newest first: all, those in a state, those at a target.
-- accepted: require-concurrent-index-creation: has a row a post, built within seconds for a million
CREATE INDEX publications_by_id ON publications (tenant_id, id);
-- accepted: require-concurrent-index-creation: has a row a post, built within seconds for a million
CREATE INDEX publications_by_status ON publications (tenant_id, (record->>'status'), id);
-- accepted: require-concurrent-index-creation: has a row a post, built within seconds for a million
CREATE INDEX publications_by_target ON publications (tenant_id, integration_id, id);
