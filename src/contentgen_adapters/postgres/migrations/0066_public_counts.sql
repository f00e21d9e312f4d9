-- How many articles everybody may read, by language and category, kept by triggers in the transaction that changes them.
-- A counter in slots, as that of a tenant's articles: nobody waits for another's transaction.
CREATE TABLE public_article_counts (
    language text COLLATE "C" NOT NULL,
    category text COLLATE "C" NOT NULL,  -- '': none
    slot     bigint           NOT NULL GENERATED ALWAYS AS IDENTITY,
    articles bigint           NOT NULL,
    PRIMARY KEY (language, category, slot)
) WITH (fillfactor = 50);  -- small, and written over and over

CREATE FUNCTION count_public_articles(written_in text, subject text, difference bigint) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    free bigint;
BEGIN
    -- Two statements: the second one sees what the row's last holder committed meanwhile.
    SELECT slot INTO free FROM public_article_counts
        WHERE language = written_in AND category = coalesce(subject, '')
        ORDER BY slot LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND THEN
        UPDATE public_article_counts SET articles = articles + difference
            WHERE language = written_in AND category = coalesce(subject, '') AND slot = free;
    ELSE
        INSERT INTO public_article_counts (language, category, articles)
            VALUES (written_in, coalesce(subject, ''), difference);
    END IF;
END $$;

-- Whether everybody may read an article, but for what its niche demands; and whether that is met whatever it demands.
CREATE FUNCTION article_is_public(a articles) RETURNS boolean LANGUAGE sql IMMUTABLE
    RETURN a.is_public AND a.slug IS NOT NULL AND a.content <> '' AND a.status <> 'generating';
CREATE FUNCTION article_is_cleared(a articles) RETURNS boolean LANGUAGE sql IMMUTABLE
    RETURN a.approval_state = 'approved' OR a.is_free_generation;

CREATE FUNCTION public_article_difference(a articles, sign bigint) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF NOT article_is_public(a) THEN
        RETURN;
    END IF;
    IF NOT article_is_cleared(a) THEN
        -- Whoever changes what the niche demands waits for us, and we for them: else each would miss the other's change.
        PERFORM pg_advisory_xact_lock_shared(hashtextextended('demand ' || a.tenant_id || ' ' || a.niche_key, 0));
        PERFORM 1 FROM approval_policies WHERE tenant_id = a.tenant_id AND niche_key = a.niche_key AND required;
        IF FOUND THEN
            RETURN;
        END IF;
    END IF;
    PERFORM count_public_articles(a.language, a.public_category, sign);
END $$;

CREATE FUNCTION count_public_article() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        PERFORM public_article_difference(OLD, -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM public_article_difference(NEW, 1);
    END IF;
    RETURN NULL;
END $$;

-- Articles of a niche that begins or ceases to demand approval come or go where nobody approved them.
CREATE FUNCTION count_demanding_niche() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    policy approval_policies := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
    sign bigint := CASE WHEN TG_OP <> 'DELETE' AND NEW.required THEN -1 ELSE 1 END;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('demand ' || policy.tenant_id || ' ' || policy.niche_key, 0));
    PERFORM count_public_articles(language, public_category, sign * n)
        FROM (SELECT language, public_category, count(*) AS n FROM articles a
              WHERE is_public AND tenant_id = policy.tenant_id AND niche_key = policy.niche_key
                AND article_is_public(a) AND NOT article_is_cleared(a) GROUP BY 1, 2) AS counted;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_articles_emptied() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM article_counts;
    DELETE FROM public_article_counts;
    RETURN NULL;
END $$;

-- These wait for transactions that are writing articles and keep others from it until the commit, so that what is
-- counted below is what the triggers go on from: by an index of the public ones.
CREATE TRIGGER articles_publicly_counted_in AFTER INSERT ON articles FOR EACH ROW
    WHEN (NEW.is_public) EXECUTE FUNCTION count_public_article();
CREATE TRIGGER articles_publicly_counted_out AFTER DELETE ON articles FOR EACH ROW
    WHEN (OLD.is_public) EXECUTE FUNCTION count_public_article();
CREATE TRIGGER articles_publicly_counted_over
    AFTER UPDATE OF tenant_id, niche_key, status, language, public_category, is_public, slug, content, approval_state,
        is_free_generation
    ON articles FOR EACH ROW
    WHEN ((OLD.is_public OR NEW.is_public)
        AND (OLD.tenant_id, OLD.niche_key, OLD.status, OLD.language, OLD.public_category, OLD.is_public,
             OLD.slug IS NULL, OLD.content = '', OLD.approval_state, OLD.is_free_generation)
        IS DISTINCT FROM (NEW.tenant_id, NEW.niche_key, NEW.status, NEW.language, NEW.public_category, NEW.is_public,
             NEW.slug IS NULL, NEW.content = '', NEW.approval_state, NEW.is_free_generation))
    EXECUTE FUNCTION count_public_article();
CREATE TRIGGER approval_policies_counted_in AFTER INSERT ON approval_policies FOR EACH ROW
    WHEN (NEW.required) EXECUTE FUNCTION count_demanding_niche();
CREATE TRIGGER approval_policies_counted_over AFTER UPDATE OF required ON approval_policies FOR EACH ROW
    WHEN (OLD.required <> NEW.required) EXECUTE FUNCTION count_demanding_niche();
CREATE TRIGGER approval_policies_counted_out AFTER DELETE ON approval_policies FOR EACH ROW
    WHEN (OLD.required) EXECUTE FUNCTION count_demanding_niche();

INSERT INTO public_article_counts (language, category, articles)
    SELECT language, coalesce(public_category, ''), count(*) FROM articles a
    WHERE is_public AND article_is_public(a)
        AND (article_is_cleared(a) OR NOT EXISTS (SELECT 1 FROM approval_policies p
             WHERE p.tenant_id = a.tenant_id AND p.niche_key = a.niche_key AND p.required))
    GROUP BY 1, 2;

-- All parts of a name of `shortest` to three letters, whatever their case: whoever looks for a part of a name finds it by
-- its own.
CREATE FUNCTION name_parts(name text, shortest integer) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(SELECT DISTINCT substr(lower(name), place, size)
                 FROM generate_series(shortest, 3) AS size CROSS JOIN LATERAL
                      generate_series(1, char_length(lower(name)) - size + 1) AS place);
