-- The list of articles in one language, by their last change.
-- accepted: require-concurrent-index-creation: has a row an article, built within seconds for a million
CREATE INDEX articles_of_language ON articles (tenant_id, language, updated_at, id);
