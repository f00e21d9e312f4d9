-- How a tenant's articles are to read: what was measured in its samples, a guide, and terms.
CREATE TABLE voices (
    id         text COLLATE "C" PRIMARY KEY,
    tenant_id  text COLLATE "C" NOT NULL REFERENCES tenants,
    language   text             NOT NULL,
    is_default boolean          NOT NULL,
    created_at timestamptz      NOT NULL,
    record     jsonb            NOT NULL,
    revision   bigint           NOT NULL
);
CREATE INDEX voices_of_tenant ON voices (tenant_id, created_at, id);
CREATE UNIQUE INDEX voices_default ON voices (tenant_id, language) WHERE is_default;

-- The voice that an article was written in, as it was then, and how the text deviates from it; NULL: none, not checked.
ALTER TABLE articles ADD COLUMN voice jsonb, ADD COLUMN voice_deviations text[];
