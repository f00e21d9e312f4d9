-- Comments on sentences of articles, and which sentences who has reviewed.
CREATE TABLE article_comments (
    id         text COLLATE "C" PRIMARY KEY,
    tenant_id  text COLLATE "C" NOT NULL REFERENCES tenants,
    article_id text COLLATE "C" NOT NULL REFERENCES articles ON DELETE CASCADE,
    resolved   boolean          NOT NULL,
    record     jsonb            NOT NULL,
    revision   bigint           NOT NULL
);
CREATE INDEX article_comments_of_article ON article_comments (article_id, id);
CREATE INDEX article_comments_in_state ON article_comments (article_id, resolved, id);
CREATE INDEX article_comments_of_tenant ON article_comments (tenant_id);

CREATE TABLE sentence_reviews (
    article_id    text COLLATE "C" NOT NULL REFERENCES articles ON DELETE CASCADE,
    sentence_hash text COLLATE "C" NOT NULL,
    user_id       text COLLATE "C" NOT NULL,
    tenant_id     text COLLATE "C" NOT NULL REFERENCES tenants,
    at            timestamptz      NOT NULL,
    PRIMARY KEY (article_id, sentence_hash, user_id)
);
CREATE INDEX sentence_reviews_of_tenant ON sentence_reviews (tenant_id);
