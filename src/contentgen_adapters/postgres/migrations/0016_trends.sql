-- The platform's trends: of no tenant, read by everybody.
CREATE TABLE trends (
    slug         text COLLATE "C" PRIMARY KEY,
    niche_key    text COLLATE "C" NOT NULL,
    score        double precision NOT NULL,
    last_seen_at timestamptz      NOT NULL,
    sample       boolean          NOT NULL,
    clicks       bigint           NOT NULL DEFAULT 0,  -- counted here alone: the record's own number is not read
    words        tsvector         NOT NULL,            -- of title and summary, as the articles' words are
    record       jsonb            NOT NULL,
    revision     bigint           NOT NULL
) WITH (fillfactor = 70);  -- each is written again with every refresh

CREATE INDEX trends_by_score ON trends (score DESC, slug);
CREATE INDEX trends_of_niche_by_score ON trends (niche_key, score DESC, slug);
CREATE INDEX trends_of_niche_by_date ON trends (niche_key, last_seen_at DESC, slug);
CREATE INDEX trends_by_date ON trends (last_seen_at) WHERE NOT sample;
CREATE INDEX trends_words ON trends USING gin (words) WITH (fastupdate = off);

-- What the sources say, apart from the trends: lists do not read it.
CREATE TABLE trend_texts (
    slug text COLLATE "C" NOT NULL REFERENCES trends ON DELETE CASCADE,
    url  text COLLATE "C" NOT NULL,
    text text             NOT NULL,
    PRIMARY KEY (slug, url)
);

-- Articles that everybody may read, by what they are asked for. `content` and `status` are left to a filter: an index
-- over them would make each change of any article dearer.
CREATE INDEX articles_public_by_slug ON articles (slug COLLATE "C") WHERE is_public;
CREATE INDEX articles_public_by_date ON articles ((coalesce(published_at, created_at)) DESC, id DESC) WHERE is_public;
