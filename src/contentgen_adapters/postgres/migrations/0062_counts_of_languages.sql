-- The counts of articles are kept by language and state of approval, too: lists with these filters know their totals
-- without counting.
--
-- Waits for transactions that are writing articles and keeps others from it until the commit, so that what is counted
-- below is what the triggers go on from. A million articles are counted within a second.
LOCK TABLE articles IN SHARE ROW EXCLUSIVE MODE;
TRUNCATE article_counts;
ALTER TABLE article_counts
    ADD COLUMN language text COLLATE "C" NOT NULL,
    ADD COLUMN approval_state text COLLATE "C" NOT NULL,
    DROP CONSTRAINT article_counts_pkey,
    ADD PRIMARY KEY (tenant_id, niche_key, status, language, approval_state, slot);

CREATE FUNCTION count_articles(
    tenant text, niche text, state text, written_in text, approval text, difference bigint
) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    free bigint;
BEGIN
    -- Two statements: the second one sees what the row's last holder committed meanwhile.
    SELECT slot INTO free FROM article_counts
        WHERE tenant_id = tenant AND niche_key = niche AND status = state AND language = written_in
            AND approval_state = approval
        ORDER BY slot LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND THEN
        UPDATE article_counts SET articles = articles + difference
            WHERE tenant_id = tenant AND niche_key = niche AND status = state AND language = written_in
                AND approval_state = approval AND slot = free;
    ELSE
        INSERT INTO article_counts (tenant_id, niche_key, status, language, approval_state, articles)
            VALUES (tenant, niche, state, written_in, approval, difference);
    END IF;
END $$;

CREATE OR REPLACE FUNCTION count_articles_added() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM count_articles(tenant_id, niche_key, status, language, approval_state, n)
        FROM (SELECT tenant_id, niche_key, status, language, approval_state, count(*) AS n FROM added
              GROUP BY 1, 2, 3, 4, 5) AS counted;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_articles_deleted() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM count_articles(tenant_id, niche_key, status, language, approval_state, -n)
        FROM (SELECT tenant_id, niche_key, status, language, approval_state, count(*) AS n FROM deleted
              GROUP BY 1, 2, 3, 4, 5) AS counted;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_article_moved() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM count_articles(OLD.tenant_id, OLD.niche_key, OLD.status, OLD.language, OLD.approval_state, -1);
    PERFORM count_articles(NEW.tenant_id, NEW.niche_key, NEW.status, NEW.language, NEW.approval_state, 1);
    RETURN NULL;
END $$;
DROP FUNCTION count_articles(text, text, text, bigint);

DROP TRIGGER articles_counted_over ON articles;
CREATE TRIGGER articles_counted_over
    AFTER UPDATE OF tenant_id, niche_key, status, language, approval_state ON articles FOR EACH ROW
    WHEN ((OLD.tenant_id, OLD.niche_key, OLD.status, OLD.language, OLD.approval_state)
        IS DISTINCT FROM (NEW.tenant_id, NEW.niche_key, NEW.status, NEW.language, NEW.approval_state))
    EXECUTE FUNCTION count_article_moved();

INSERT INTO article_counts (tenant_id, niche_key, status, language, approval_state, articles)
    SELECT tenant_id, niche_key, status, language, approval_state, count(*) FROM articles GROUP BY 1, 2, 3, 4, 5;
