-- The figures of each entity of a scope, over all ways to write it, kept by triggers in the transaction that changes
-- them, in the order of its strength: the strongest are read by an index. Whoever changes entities holds the lock of
-- their scope, so that nobody waits here who did not wait there.

-- A number that orders as passages do, by powers of two: the index is written anew only where a name has twice as many, so
-- that an import leaves the places of most. Names of one passage, of which there are most, it orders by their mentions.
CREATE FUNCTION kb_entity_strength(passages bigint, mentions bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN passages < 2 THEN mentions ELSE floor(ln(passages::float8) / ln(2::float8))::bigint << 32 END;

CREATE TABLE kb_entity_sums (
    scope_id integer          NOT NULL REFERENCES kb_scopes ON DELETE CASCADE,
    key      text COLLATE "C" NOT NULL,
    names    bigint           NOT NULL,  -- ways to write it
    mentions bigint           NOT NULL,
    passages bigint           NOT NULL,
    strength bigint           NOT NULL GENERATED ALWAYS AS (kb_entity_strength(passages, mentions)) STORED,
    PRIMARY KEY (scope_id, key)
) WITH (fillfactor = 70);
CREATE INDEX kb_entity_sums_by_strength ON kb_entity_sums (scope_id, strength DESC, key);

-- How many there are.
CREATE TABLE kb_entity_counts (
    scope_id integer PRIMARY KEY REFERENCES kb_scopes ON DELETE CASCADE,
    entities bigint  NOT NULL
) WITH (fillfactor = 50);  -- few rows, each written over and over

-- What came and what went, added to what is there: found by the key, whatever the planner knows of the table.
CREATE FUNCTION sum_kb_entities() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO kb_entity_sums AS s (scope_id, key, names, mentions, passages)
            SELECT scope_id, key, count(*), sum(mentions), sum(passages) FROM came GROUP BY 1, 2
            ON CONFLICT (scope_id, key) DO UPDATE SET names = s.names + excluded.names,
                mentions = s.mentions + excluded.mentions, passages = s.passages + excluded.passages;
    ELSIF TG_OP = 'UPDATE' THEN
        INSERT INTO kb_entity_sums AS s (scope_id, key, names, mentions, passages)
            SELECT scope_id, key, sum(names), sum(mentions), sum(passages)
            FROM (SELECT scope_id, key, 1 AS names, mentions, passages FROM came
                  UNION ALL SELECT scope_id, key, -1, -mentions, -passages FROM went) AS changed
            GROUP BY 1, 2
            ON CONFLICT (scope_id, key) DO UPDATE SET names = s.names + excluded.names,
                mentions = s.mentions + excluded.mentions, passages = s.passages + excluded.passages;
    ELSE
        UPDATE kb_entity_sums AS s SET names = s.names - w.names,
                mentions = s.mentions - w.mentions, passages = s.passages - w.passages
            FROM (SELECT scope_id, key, count(*) AS names, sum(mentions) AS mentions, sum(passages) AS passages
                  FROM went GROUP BY 1, 2) AS w
            WHERE (s.scope_id, s.key) = (w.scope_id, w.key);
        DELETE FROM kb_entity_sums AS s USING went
            WHERE (s.scope_id, s.key) = (went.scope_id, went.key) AND s.names = 0;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER kb_entities_summed_in AFTER INSERT ON kb_entities
    REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION sum_kb_entities();
CREATE TRIGGER kb_entities_summed_over AFTER UPDATE ON kb_entities
    REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION sum_kb_entities();
CREATE TRIGGER kb_entities_summed_out AFTER DELETE ON kb_entities
    REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION sum_kb_entities();

CREATE FUNCTION count_kb_entities() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO kb_entity_counts AS c (scope_id, entities)
            SELECT scope_id, count(*) FROM came GROUP BY 1 ORDER BY 1
            ON CONFLICT (scope_id) DO UPDATE SET entities = c.entities + excluded.entities;
    ELSE
        UPDATE kb_entity_counts AS c SET entities = c.entities - w.entities
            FROM (SELECT scope_id, count(*) AS entities FROM went GROUP BY 1) AS w WHERE c.scope_id = w.scope_id;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER kb_entity_sums_counted_in AFTER INSERT ON kb_entity_sums
    REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION count_kb_entities();
CREATE TRIGGER kb_entity_sums_counted_out AFTER DELETE ON kb_entity_sums
    REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION count_kb_entities();

-- For the next migration: sums what was there before, scope by scope, each in a transaction of its own that holds the
-- scope's lock, as all do that change its entities.
CREATE PROCEDURE sum_entities_of_all_scopes() LANGUAGE plpgsql AS $$
DECLARE
    scope integer;
BEGIN
    FOR scope IN SELECT id FROM kb_scopes ORDER BY id LOOP
        PERFORM 1 FROM kb_scopes WHERE id = scope FOR NO KEY UPDATE;
        DELETE FROM kb_entity_sums WHERE scope_id = scope;
        INSERT INTO kb_entity_sums (scope_id, key, names, mentions, passages)
            SELECT scope, key, count(*), sum(mentions), sum(passages) FROM kb_entities WHERE scope_id = scope
            GROUP BY 2;
        COMMIT;
    END LOOP;
END $$;
