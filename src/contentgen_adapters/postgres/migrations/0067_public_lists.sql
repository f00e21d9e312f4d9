-- outside a transaction
-- Public articles of a language or a category, the newest first.
DROP INDEX CONCURRENTLY IF EXISTS articles_public_of_language;
CREATE INDEX CONCURRENTLY articles_public_of_language ON articles
    (language, (coalesce(published_at, created_at)) DESC, id DESC) WHERE is_public;
DROP INDEX CONCURRENTLY IF EXISTS articles_public_of_category;
CREATE INDEX CONCURRENTLY articles_public_of_category ON articles
    (public_category, (coalesce(published_at, created_at)) DESC, id DESC) WHERE is_public;
-- Those of a niche that begins or ceases to demand approval.
DROP INDEX CONCURRENTLY IF EXISTS articles_public_of_niche;
CREATE INDEX CONCURRENTLY articles_public_of_niche ON articles (tenant_id, niche_key) WHERE is_public;
-- Tenants by a part of their name.
DROP INDEX CONCURRENTLY IF EXISTS tenants_by_part;
CREATE INDEX CONCURRENTLY tenants_by_part ON tenants USING gin (name_parts(name, 1)) WITH (fastupdate = off);
-- The words that were written in a month by each tenant, from the index alone.
DROP INDEX CONCURRENTLY IF EXISTS writing_months_words;
CREATE INDEX CONCURRENTLY writing_months_words ON writing_months (month) INCLUDE (tenant_id, words);
