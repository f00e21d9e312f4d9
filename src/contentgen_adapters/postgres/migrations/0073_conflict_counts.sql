-- How many conflicts a search has in each state, kept by triggers in the transaction that changes them. A counter in
-- slots, as that of a tenant's articles: neither a search nor a person who decides waits for the other.
-- No foreign key: a search that is deleted takes its counts along by a trigger, and its conflicts are counted no more.
CREATE TABLE conflict_counts (
    search_id text COLLATE "C" NOT NULL,
    state     text COLLATE "C" NOT NULL,
    slot      bigint           NOT NULL GENERATED ALWAYS AS IDENTITY,
    conflicts bigint           NOT NULL,
    PRIMARY KEY (search_id, state, slot)
) WITH (fillfactor = 50);  -- few rows, each written over and over

CREATE FUNCTION add_to_conflict_counts(search text, found_in text, difference bigint) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    free bigint;
BEGIN
    -- Two statements: the second one sees what the row's last holder committed meanwhile.
    SELECT slot INTO free FROM conflict_counts WHERE search_id = search AND state = found_in
        ORDER BY slot LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND THEN
        UPDATE conflict_counts SET conflicts = conflicts + difference
            WHERE search_id = search AND state = found_in AND slot = free;
    ELSE
        INSERT INTO conflict_counts (search_id, state, conflicts) VALUES (search, found_in, difference);
    END IF;
END $$;

CREATE FUNCTION count_conflict() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        PERFORM 1 FROM conflict_searches WHERE id = OLD.search_id;
        IF NOT FOUND THEN
            RETURN NULL;
        END IF;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        PERFORM add_to_conflict_counts(OLD.search_id, OLD.state, -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM add_to_conflict_counts(NEW.search_id, NEW.state, 1);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION forget_conflict_counts() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM conflict_counts WHERE search_id = OLD.id;
    RETURN NULL;
END $$;

-- These wait for transactions that are writing conflicts and keep others from it until the commit, so that what is
-- counted below, from an index alone, is what the triggers go on from.
CREATE TRIGGER conflicts_counted_in AFTER INSERT ON conflicts FOR EACH ROW EXECUTE FUNCTION count_conflict();
CREATE TRIGGER conflicts_counted_out AFTER DELETE ON conflicts FOR EACH ROW EXECUTE FUNCTION count_conflict();
CREATE TRIGGER conflicts_counted_over AFTER UPDATE OF search_id, state ON conflicts FOR EACH ROW
    WHEN ((OLD.search_id, OLD.state) IS DISTINCT FROM (NEW.search_id, NEW.state)) EXECUTE FUNCTION count_conflict();
CREATE TRIGGER searches_forget_their_counts AFTER DELETE ON conflict_searches
    FOR EACH ROW EXECUTE FUNCTION forget_conflict_counts();

INSERT INTO conflict_counts (search_id, state, conflicts) SELECT search_id, state, count(*) FROM conflicts GROUP BY 1, 2;
