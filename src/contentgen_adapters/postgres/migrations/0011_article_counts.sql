-- How many articles a tenant has of each niche and status, kept by triggers in the transaction that changes them: a list
-- of a hundred thousand articles knows its total without counting them.
--
-- A counter in slots: each number is the sum of a few rows. Whoever counts takes a row that nobody holds, or makes one,
-- so that nobody ever waits for another's transaction, and no order of locks can end in a deadlock. There are at most
-- as many slots as transactions that ever counted the same at the same moment. A slot may go below zero; sums do not.
-- No foreign key: that of the articles says it already.
CREATE TABLE article_counts (
    tenant_id text COLLATE "C" NOT NULL,
    niche_key text COLLATE "C" NOT NULL,
    status    text COLLATE "C" NOT NULL,
    slot      bigint           NOT NULL GENERATED ALWAYS AS IDENTITY,
    articles  bigint           NOT NULL,
    PRIMARY KEY (tenant_id, niche_key, status, slot)
) WITH (fillfactor = 50);  -- small, and written over and over

CREATE FUNCTION count_articles(tenant text, niche text, state text, difference bigint) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    free bigint;
BEGIN
    -- Two statements: the second one sees what the row's last holder committed meanwhile.
    SELECT slot INTO free FROM article_counts
        WHERE tenant_id = tenant AND niche_key = niche AND status = state
        ORDER BY slot LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND THEN
        UPDATE article_counts SET articles = articles + difference
            WHERE tenant_id = tenant AND niche_key = niche AND status = state AND slot = free;
    ELSE
        INSERT INTO article_counts (tenant_id, niche_key, status, articles) VALUES (tenant, niche, state, difference);
    END IF;
END $$;

-- For a statement that adds or deletes many: one change of a slot, not one a row.
CREATE FUNCTION count_articles_added() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM count_articles(tenant_id, niche_key, status, n)
        FROM (SELECT tenant_id, niche_key, status, count(*) AS n FROM added GROUP BY 1, 2, 3) AS counted;
    RETURN NULL;
END $$;

CREATE FUNCTION count_articles_deleted() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM count_articles(tenant_id, niche_key, status, -n)
        FROM (SELECT tenant_id, niche_key, status, count(*) AS n FROM deleted GROUP BY 1, 2, 3) AS counted;
    RETURN NULL;
END $$;

CREATE FUNCTION count_article_moved() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM count_articles(OLD.tenant_id, OLD.niche_key, OLD.status, -1);
    PERFORM count_articles(NEW.tenant_id, NEW.niche_key, NEW.status, 1);
    RETURN NULL;
END $$;

CREATE FUNCTION count_articles_emptied() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM article_counts;
    RETURN NULL;
END $$;

-- These wait for transactions that are writing articles and keep others from it until the commit, so that what is
-- counted below is what the triggers go on from. Versions before this one write on, counted by the triggers.
CREATE TRIGGER articles_counted_in AFTER INSERT ON articles
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_articles_added();
CREATE TRIGGER articles_counted_out AFTER DELETE ON articles
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_articles_deleted();
-- By row and with a condition: most updates move nothing, and cost nothing.
CREATE TRIGGER articles_counted_over AFTER UPDATE OF tenant_id, niche_key, status ON articles FOR EACH ROW
    WHEN ((OLD.tenant_id, OLD.niche_key, OLD.status) IS DISTINCT FROM (NEW.tenant_id, NEW.niche_key, NEW.status))
    EXECUTE FUNCTION count_article_moved();
CREATE TRIGGER articles_counted_as_none AFTER TRUNCATE ON articles
    FOR EACH STATEMENT EXECUTE FUNCTION count_articles_emptied();

INSERT INTO article_counts (tenant_id, niche_key, status, articles)
    SELECT tenant_id, niche_key, status, count(*) FROM articles GROUP BY 1, 2, 3;

-- What one process does for all of them, such as the upkeep of the search index: whose turn it is, or (without a worker)
-- when it is next to be done.
CREATE TABLE turns (
    work   text COLLATE "C" PRIMARY KEY,
    worker text COLLATE "C",
    until  timestamptz      NOT NULL
) WITH (fillfactor = 50);
