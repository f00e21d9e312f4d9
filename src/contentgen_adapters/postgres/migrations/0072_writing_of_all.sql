-- The figures of writing of all tenants together, by month, kept by triggers in the transaction that changes those of a
-- tenant: an administrator's page reads the months that it shows. A counter in slots, as that of a tenant's articles:
-- nobody waits for another's transaction.
CREATE TABLE writing_of_all (
    month         date             NOT NULL,
    currency      text COLLATE "C" NOT NULL,
    slot          bigint           NOT NULL GENERATED ALWAYS AS IDENTITY,
    parts         bigint           NOT NULL,  -- rows of writing_months
    written       bigint           NOT NULL,
    failed        bigint           NOT NULL,
    words         bigint           NOT NULL,
    covered       bigint           NOT NULL,
    coverage      numeric          NOT NULL,  -- exact, whatever comes and goes
    sentences     bigint           NOT NULL,
    supported     bigint           NOT NULL,
    input_tokens  bigint           NOT NULL,
    output_tokens bigint           NOT NULL,
    unpriced      bigint           NOT NULL,
    cached_tokens bigint           NOT NULL,
    micros        bigint           NOT NULL,
    PRIMARY KEY (month, currency, slot)
) WITH (fillfactor = 50);  -- small, and written over and over

CREATE FUNCTION add_to_writing_of_all(w writing_months, sign integer) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    free bigint;
BEGIN
    -- Two statements: the second one sees what the row's last holder committed meanwhile.
    SELECT slot INTO free FROM writing_of_all WHERE month = w.month AND currency = w.currency
        ORDER BY slot LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        INSERT INTO writing_of_all (month, currency, parts, written, failed, words, covered, coverage, sentences,
                supported, input_tokens, output_tokens, unpriced, cached_tokens, micros)
            VALUES (w.month, w.currency, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) RETURNING slot INTO free;
    END IF;
    UPDATE writing_of_all SET
            parts = parts + sign,
            written = written + sign * w.written,
            failed = failed + sign * w.failed,
            words = words + sign * w.words,
            covered = covered + sign * w.covered,
            coverage = coverage + sign * w.coverage::numeric,
            sentences = sentences + sign * w.sentences,
            supported = supported + sign * w.supported,
            input_tokens = input_tokens + sign * w.input_tokens,
            output_tokens = output_tokens + sign * w.output_tokens,
            unpriced = unpriced + sign * w.unpriced,
            cached_tokens = cached_tokens + sign * w.cached_tokens,
            micros = micros + sign * w.micros
        WHERE month = w.month AND currency = w.currency AND slot = free;
END $$;

CREATE FUNCTION sum_writing_of_all() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        PERFORM add_to_writing_of_all(OLD, -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM add_to_writing_of_all(NEW, 1);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION empty_writing_of_all() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM writing_of_all;
    RETURN NULL;
END $$;

-- This waits for transactions that are adding figures and keeps others from it until the commit, so that the sums below
-- are what the trigger goes on from: of some rows a tenant and month, within a second.
CREATE TRIGGER writing_months_summed AFTER INSERT OR UPDATE OR DELETE ON writing_months
    FOR EACH ROW EXECUTE FUNCTION sum_writing_of_all();
CREATE TRIGGER writing_months_summed_as_none AFTER TRUNCATE ON writing_months
    FOR EACH STATEMENT EXECUTE FUNCTION empty_writing_of_all();

INSERT INTO writing_of_all (month, currency, parts, written, failed, words, covered, coverage, sentences,
        supported, input_tokens, output_tokens, unpriced, cached_tokens, micros)
    SELECT month, currency, count(*), sum(written), sum(failed), sum(words), sum(covered), sum(coverage::numeric),
           sum(sentences), sum(supported), sum(input_tokens), sum(output_tokens), sum(unpriced), sum(cached_tokens),
           sum(micros)
    FROM writing_months GROUP BY 1, 2;
