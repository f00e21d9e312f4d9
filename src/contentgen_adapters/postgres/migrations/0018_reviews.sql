-- Reviews of the service by its users: of the platform, and so without a tenant. They go with the user.
CREATE TABLE reviews (
    id         text COLLATE "C" PRIMARY KEY,
    user_id    text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
    rating     integer          NOT NULL,
    title      text             NOT NULL,
    comment    text             NOT NULL,
    author     text,                                 -- the name given with it; NULL: none is shown
    flags      text[]           NOT NULL,            -- why a person has to look at it first
    flagged    boolean          NOT NULL,            -- whether there is any such reason
    helpful    bigint           NOT NULL DEFAULT 0,  -- its rows in review_marks, kept by triggers
    created_at timestamptz      NOT NULL,
    updated_at timestamptz      NOT NULL,
    revision   bigint           NOT NULL,
    CONSTRAINT reviews_of_user UNIQUE (user_id)
) WITH (fillfactor = 80);  -- room for the new versions that marks make
CREATE INDEX reviews_by_newest ON reviews (flagged, created_at DESC, id DESC);
CREATE INDEX reviews_by_helpful ON reviews (flagged, helpful DESC, created_at DESC, id DESC);
CREATE INDEX reviews_by_rating ON reviews (flagged, rating DESC, created_at DESC, id DESC);

-- Who found which of them helpful.
CREATE TABLE review_marks (
    review_id  text COLLATE "C" NOT NULL REFERENCES reviews ON DELETE CASCADE,
    user_id    text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at timestamptz      NOT NULL,
    PRIMARY KEY (review_id, user_id)
);
CREATE INDEX review_marks_of_user ON review_marks (user_id);

-- How many reviews there are of each number of stars, listed and flagged: averages cost the same however many there are.
-- A counter in slots, as that of the articles (0011): nobody waits for another's transaction.
CREATE TABLE review_counts (
    flagged boolean NOT NULL,
    rating  integer NOT NULL,
    slot    bigint  NOT NULL GENERATED ALWAYS AS IDENTITY,
    reviews bigint  NOT NULL,
    PRIMARY KEY (flagged, rating, slot)
) WITH (fillfactor = 50);

CREATE FUNCTION count_reviews(hidden boolean, stars integer, difference bigint) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    free bigint;
BEGIN
    SELECT slot INTO free FROM review_counts
        WHERE flagged = hidden AND rating = stars ORDER BY slot LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND THEN
        UPDATE review_counts SET reviews = reviews + difference
            WHERE flagged = hidden AND rating = stars AND slot = free;
    ELSE
        INSERT INTO review_counts (flagged, rating, reviews) VALUES (hidden, stars, difference);
    END IF;
END $$;

CREATE FUNCTION count_review_changed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        PERFORM count_reviews(OLD.flagged, OLD.rating, -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM count_reviews(NEW.flagged, NEW.rating, 1);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION count_reviews_emptied() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM review_counts;
    RETURN NULL;
END $$;

CREATE TRIGGER reviews_counted AFTER INSERT OR DELETE ON reviews
    FOR EACH ROW EXECUTE FUNCTION count_review_changed();
CREATE TRIGGER reviews_counted_over AFTER UPDATE OF flagged, rating ON reviews FOR EACH ROW
    WHEN ((OLD.flagged, OLD.rating) IS DISTINCT FROM (NEW.flagged, NEW.rating))
    EXECUTE FUNCTION count_review_changed();
CREATE TRIGGER reviews_counted_as_none AFTER TRUNCATE ON reviews
    FOR EACH STATEMENT EXECUTE FUNCTION count_reviews_emptied();

CREATE FUNCTION count_review_marked() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE reviews SET helpful = helpful + 1 WHERE id = NEW.review_id;
    RETURN NULL;
END $$;

CREATE FUNCTION count_review_marks_gone() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE reviews SET helpful = helpful - marks.n
        FROM (SELECT review_id, count(*) AS n FROM gone GROUP BY review_id) AS marks WHERE id = marks.review_id;
    RETURN NULL;
END $$;

-- A user who goes takes marks on many reviews along. Whoever deletes one of these has locked it before its marks, and so
-- this does the same, in one order: else the two, or two who go, would wait for each other.
CREATE FUNCTION lock_reviews_of_user() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM 1 FROM reviews
        WHERE user_id = OLD.id OR id IN (SELECT review_id FROM review_marks WHERE user_id = OLD.id)
        ORDER BY id FOR UPDATE;
    RETURN OLD;
END $$;

CREATE TRIGGER users_lock_reviews BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION lock_reviews_of_user();
CREATE TRIGGER review_marks_counted AFTER INSERT ON review_marks
    FOR EACH ROW EXECUTE FUNCTION count_review_marked();
CREATE TRIGGER review_marks_counted_out AFTER DELETE ON review_marks
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_review_marks_gone();
