-- What articles are found by when a topic is to be written on: words, the vector of the topic and a sketch of it, and
-- the passages that are cited. `words` are marked with their tenant and language, so that a search meets its own alone.
CREATE TABLE article_topics (
    article_id text COLLATE "C" PRIMARY KEY REFERENCES articles ON DELETE CASCADE,
    tenant_id  text COLLATE "C" NOT NULL REFERENCES tenants,
    space      text COLLATE "C" NOT NULL,
    words      text[]           NOT NULL,
    cited      text[]           NOT NULL,
    sections   jsonb            NOT NULL,
    sketch     bit varying,
    vector     bytea
);
-- The sketches of a tenant are read from the index alone.
CREATE INDEX article_topics_sketches ON article_topics (tenant_id, space) INCLUDE (sketch, article_id)
    WHERE sketch IS NOT NULL;
CREATE INDEX article_topics_words ON article_topics USING gin (words) WITH (fastupdate = off);
CREATE INDEX article_topics_cited ON article_topics USING gin (cited) WITH (fastupdate = off);

-- The space in which the topic was read last; NULL: not since the article changed.
ALTER TABLE articles ADD COLUMN topic_space text COLLATE "C";
CREATE INDEX articles_topic_space ON articles (topic_space, tenant_id, id);
