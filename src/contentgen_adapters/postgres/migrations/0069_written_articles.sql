-- How many articles all tenants have that have their text: everybody may ask for it. A counter in slots, as that of a
-- tenant's articles, so that nobody waits for another's transaction.
CREATE TABLE written_articles (
    slot     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    articles bigint NOT NULL
) WITH (fillfactor = 50);  -- small, and written over and over

CREATE FUNCTION is_written(status text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN status IN ('generated', 'scheduled', 'published');

CREATE FUNCTION count_written_articles(difference bigint) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    free bigint;
BEGIN
    IF difference = 0 THEN
        RETURN;
    END IF;
    -- Two statements: the second one sees what the row's last holder committed meanwhile.
    SELECT slot INTO free FROM written_articles ORDER BY slot LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND THEN
        UPDATE written_articles SET articles = articles + difference WHERE slot = free;
    ELSE
        INSERT INTO written_articles (articles) VALUES (difference);
    END IF;
END $$;

CREATE FUNCTION count_written_added() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM count_written_articles((SELECT count(*) FROM added WHERE is_written(status)));
    RETURN NULL;
END $$;

CREATE FUNCTION count_written_deleted() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM count_written_articles(-(SELECT count(*) FROM deleted WHERE is_written(status)));
    RETURN NULL;
END $$;

CREATE FUNCTION count_written_moved() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM count_written_articles(CASE WHEN is_written(NEW.status) THEN 1 ELSE -1 END);
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_articles_emptied() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM article_counts;
    DELETE FROM public_article_counts;
    DELETE FROM written_articles;
    RETURN NULL;
END $$;

-- These wait for transactions that are writing articles and keep others from it until the commit, so that the counts
-- below are what the triggers go on from.
CREATE TRIGGER articles_written_in AFTER INSERT ON articles
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_written_added();
CREATE TRIGGER articles_written_out AFTER DELETE ON articles
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_written_deleted();
CREATE TRIGGER articles_written_over AFTER UPDATE OF status ON articles FOR EACH ROW
    WHEN (is_written(OLD.status) <> is_written(NEW.status)) EXECUTE FUNCTION count_written_moved();

INSERT INTO written_articles (articles)
    SELECT coalesce(sum(articles), 0) FROM article_counts WHERE is_written(status);
