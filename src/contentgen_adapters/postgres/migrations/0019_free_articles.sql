-- Which links free articles were made from: by SHA-256, since an address may be long, and may tell of whoever sent it.
CREATE TABLE free_links (
    link_digest bytea            PRIMARY KEY,
    article_id  text COLLATE "C" NOT NULL CONSTRAINT free_links_article_id_fkey REFERENCES articles ON DELETE CASCADE
);
CREATE INDEX free_links_of_article ON free_links (article_id);

-- What was counted for an article that is not written yet, to be given back if it never is. `visitor` is a keyed digest
-- that is another one every day; what is older than the day is deleted.
CREATE TABLE free_generations (
    article_id text COLLATE "C" PRIMARY KEY CONSTRAINT free_generations_article_id_fkey REFERENCES articles
                                ON DELETE CASCADE,
    day        date             NOT NULL,
    visitor    text COLLATE "C" NOT NULL
);
CREATE INDEX free_generations_by_day ON free_generations (day);

CREATE TABLE free_counts (
    day     date             NOT NULL,
    subject text COLLATE "C" NOT NULL,  -- a visitor's digest, or the whole platform
    used    integer          NOT NULL CHECK (used >= 0),
    PRIMARY KEY (day, subject)
) WITH (fillfactor = 70);

-- The significant words of a topic, each with its language before it, of articles that every platform admin is told of.
-- Nobody else's are read. Filled when it is first asked for: whoever makes an article public need not think of it.
ALTER TABLE articles ADD COLUMN topic_terms text[];
CREATE INDEX articles_topic_terms ON articles USING gin (topic_terms) WHERE is_public OR is_free_generation;
CREATE INDEX articles_topic_unread ON articles (id) WHERE topic_terms IS NULL AND (is_public OR is_free_generation);

CREATE INDEX articles_of_trend ON articles (trend_slug COLLATE "C") WHERE trend_slug IS NOT NULL;
