-- Links from the text of one article to another, by its words and not by an address.
CREATE TABLE article_links (
    id         text COLLATE "C" PRIMARY KEY,
    tenant_id  text COLLATE "C" NOT NULL REFERENCES tenants,
    article_id text COLLATE "C" NOT NULL REFERENCES articles ON DELETE CASCADE,
    target_id  text COLLATE "C" NOT NULL REFERENCES articles ON DELETE CASCADE,
    state      text             NOT NULL,
    record     jsonb            NOT NULL,
    revision   bigint           NOT NULL
);
CREATE UNIQUE INDEX article_links_targets ON article_links (article_id, target_id);
CREATE INDEX article_links_to ON article_links (target_id);
CREATE INDEX article_links_of_tenant ON article_links (tenant_id);
