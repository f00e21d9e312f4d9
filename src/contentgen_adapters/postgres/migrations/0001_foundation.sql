-- Identifiers are text, not uuid, although ours are UUIDv7: callers send any string where an id is asked for, and one
-- that is no UUID must find nothing rather than fail. What is compared or ordered byte by byte says COLLATE "C", so that
-- an order never depends on the locale a server was set up with. What can be long and must be unique is indexed by its
-- SHA-256, computed by the adapter (a btree entry holds 2,700 bytes at most).
-- Values of an enumeration are text without a CHECK: the model knows them, and a new one needs no migration.

---------------------------------------------------------------------------------------------------- people and keys

CREATE TABLE tenants (
    id         text COLLATE "C" PRIMARY KEY,
    name       text COLLATE "C" NOT NULL,
    plan       text             NOT NULL,
    created_at timestamptz      NOT NULL
);
CREATE INDEX tenants_by_name ON tenants USING hash (name);  -- hash: a name may be longer than a btree entry

CREATE TABLE users (
    id             text COLLATE "C" PRIMARY KEY,
    tenant_id      text COLLATE "C" NOT NULL REFERENCES tenants,
    name           text             NOT NULL,
    role           text             NOT NULL,
    email          text,
    platform_admin boolean          NOT NULL,
    created_at     timestamptz      NOT NULL
);
CREATE INDEX users_of_tenant ON users (tenant_id, created_at, id);

CREATE TABLE api_keys (
    id           text COLLATE "C" PRIMARY KEY,
    tenant_id    text COLLATE "C" NOT NULL REFERENCES tenants,
    user_id      text COLLATE "C" NOT NULL REFERENCES users,
    name         text             NOT NULL,
    digest       text COLLATE "C" NOT NULL CONSTRAINT api_keys_digest_unique UNIQUE,
    hint         text             NOT NULL,
    created_at   timestamptz      NOT NULL,
    expires_at   timestamptz,
    revoked_at   timestamptz,
    last_used_at timestamptz
) WITH (fillfactor = 80);  -- room for the new versions that recording a use makes
CREATE INDEX api_keys_of_tenant ON api_keys (tenant_id, created_at, id);
CREATE INDEX api_keys_of_user ON api_keys (user_id);

-------------------------------------------------------------------------------------------------- niches and agents

CREATE TABLE niches (
    id          text COLLATE "C" PRIMARY KEY,
    tenant_id   text COLLATE "C" REFERENCES tenants,  -- NULL: preconfigured, for everybody
    niche_key   text COLLATE "C" NOT NULL,
    name        text COLLATE "C" NOT NULL,
    description text,
    icon        text,
    keywords    text[]           NOT NULL,
    created_at  timestamptz      NOT NULL,
    CONSTRAINT niches_key_unique UNIQUE NULLS NOT DISTINCT (niche_key, tenant_id)
);
CREATE INDEX niches_of_tenant ON niches (tenant_id);

-- By key and not by id: that is how agents, articles and passages name a niche, and a tenant never sees two of one key.
CREATE TABLE niche_activations (
    tenant_id       text COLLATE "C" NOT NULL REFERENCES tenants,
    niche_key       text COLLATE "C" NOT NULL,
    tones           text[]           NOT NULL,
    languages       text[]           NOT NULL,
    countries       text[]           NOT NULL,
    target_audience text,
    PRIMARY KEY (tenant_id, niche_key)
);

CREATE TABLE agents (
    id         text COLLATE "C" PRIMARY KEY,
    tenant_id  text COLLATE "C" REFERENCES tenants,  -- NULL: a system agent
    niche_key  text COLLATE "C" NOT NULL,
    country    text COLLATE "C" NOT NULL,
    name       text             NOT NULL,
    enabled    boolean          NOT NULL,
    created_at timestamptz      NOT NULL,
    CONSTRAINT agents_key_unique UNIQUE NULLS NOT DISTINCT (tenant_id, niche_key, country)
);

------------------------------------------------------------------------------------------------------------ articles

CREATE TABLE articles (
    id                 text COLLATE "C" PRIMARY KEY,
    tenant_id          text COLLATE "C" NOT NULL REFERENCES tenants,
    niche_key          text COLLATE "C" NOT NULL,
    -- the brief, in plain columns: a list reads many, and decoding JSON for each would cost more than the query
    topic              text             NOT NULL,
    language           text             NOT NULL,
    tone               text             NOT NULL,
    length             text             NOT NULL,
    keywords           text[]           NOT NULL,
    include_mermaid    boolean          NOT NULL,
    private_docs_mode  text             NOT NULL,
    document_ids       text[]           NOT NULL,
    topic_key          text             NOT NULL,
    topic_digest       bytea            NOT NULL,  -- SHA-256 of topic_key
    title              text             NOT NULL,
    status             text COLLATE "C" NOT NULL,
    created_at         timestamptz      NOT NULL,
    updated_at         timestamptz      NOT NULL,
    agent_niche_key    text,
    agent_country      text,
    created_by         text,
    content            text             NOT NULL,
    excerpt            text,
    slug               text,
    has_seo            boolean          NOT NULL,  -- an empty object is not the same as none
    meta_title         text,
    meta_description   text,
    featured_image     text,
    trend_slug         text,
    scheduled_for      timestamptz,
    published_at       timestamptz,
    is_public          boolean          NOT NULL,
    public_category    text,
    is_free_generation boolean          NOT NULL,
    free_topic         text,
    free_topic_digest  bytea,                      -- SHA-256 of free_topic where is_free_generation, else NULL
    -- read for a single article only
    plan               jsonb,
    sources            jsonb            NOT NULL,
    grounding          jsonb,
    usage              jsonb,
    word_count         integer          NOT NULL,
    progress           smallint         NOT NULL,
    error              text,
    quota_window       date,
    job_id             text,
    revision           bigint           NOT NULL,
    -- The words of title and content for the search by prefixes. Not generated from the text: PostgreSQL's parser takes
    -- host names, paths and compounds for words of their own, and depends on the locale; the adapter's rule does not.
    words              tsvector         NOT NULL
) WITH (fillfactor = 80);  -- room for a new version beside the old one: progress moves often and touches no index

-- "The same topic is generating already", whoever comes first.
CREATE UNIQUE INDEX articles_topic_generating ON articles (tenant_id, topic_digest) WHERE status = 'generating';
-- One free article a topic on the whole platform.
CREATE UNIQUE INDEX articles_free_topic ON articles (free_topic_digest) WHERE free_topic_digest IS NOT NULL;
-- One index for each sort; ids break ties in the direction of the sort, so each is read in both directions ...
CREATE INDEX articles_by_creation ON articles (tenant_id, created_at, id);
CREATE INDEX articles_by_update ON articles (tenant_id, updated_at, id);
CREATE INDEX articles_by_publication ON articles (tenant_id, published_at, id);
-- ... but for this one, where what has no date comes last both ways.
CREATE INDEX articles_by_last_publication ON articles (tenant_id, published_at DESC NULLS LAST, id DESC);
CREATE INDEX articles_of_niche ON articles (tenant_id, niche_key, created_at, id);
CREATE INDEX articles_of_status ON articles (tenant_id, status, created_at, id);
-- Without the pending list: a search would read all of it each time.
CREATE INDEX articles_words ON articles USING gin (words) WITH (fastupdate = off);

-- Checkpoints of a generation: copies, so that a document removed meanwhile does not change an article under way.
CREATE TABLE generation_sources (
    article_id text COLLATE "C" PRIMARY KEY REFERENCES articles ON DELETE CASCADE,
    sources    jsonb NOT NULL
);

CREATE TABLE generation_drafts (
    article_id text COLLATE "C" NOT NULL REFERENCES articles ON DELETE CASCADE,
    position   integer          NOT NULL,
    draft      jsonb            NOT NULL,
    PRIMARY KEY (article_id, position)
);

------------------------------------------------------------------------------------------------ quotas, keys of calls

-- window is a word of SQL; "used_in" is the first day of the month, or the day.
CREATE TABLE quota_usage (
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
    quota     text COLLATE "C" NOT NULL,
    used_in   date             NOT NULL,
    used      integer          NOT NULL CHECK (used >= 0),
    PRIMARY KEY (tenant_id, quota, used_in)
) WITH (fillfactor = 50);  -- few rows, each written over and over

CREATE TABLE idempotency_keys (
    tenant_id   text COLLATE "C" NOT NULL REFERENCES tenants,
    key         text             NOT NULL,
    key_digest  bytea            NOT NULL,
    fingerprint text             NOT NULL,
    result_id   text             NOT NULL,
    created_at  timestamptz      NOT NULL,
    PRIMARY KEY (tenant_id, key_digest)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

---------------------------------------------------------------------------------------------------------------- jobs

CREATE TABLE jobs (
    id           text COLLATE "C" PRIMARY KEY,
    kind         text             NOT NULL,
    tenant_id    text COLLATE "C" NOT NULL REFERENCES tenants,
    subject_id   text COLLATE "C" NOT NULL,
    run_at       timestamptz      NOT NULL,
    state        text COLLATE "C" NOT NULL,
    attempts     integer          NOT NULL,
    worker       text COLLATE "C",
    leased_until timestamptz,
    last_error   text,
    ended_at     timestamptz  -- of jobs that are done, failed or cancelled; they are kept for a week, for the operator
) WITH (fillfactor = 70);
-- Only what has not ended: these stay small however many jobs there have been.
CREATE INDEX jobs_due ON jobs (run_at, id) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_of_subject ON jobs (tenant_id, subject_id) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_of_worker ON jobs (worker) WHERE state = 'running';
CREATE INDEX jobs_by_end ON jobs (ended_at) WHERE ended_at IS NOT NULL;

------------------------------------------------------------------------------------------------------ knowledge base

-- Documents, statistics and locks name their scope by a small number, since there are many of them and few scopes.
-- Whoever adds to or removes from a scope locks its row first, so its statistics are exact and nobody deadlocks.
CREATE TABLE kb_scopes (
    id        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    niche_key text COLLATE "C" NOT NULL,
    tenant_id text COLLATE "C" REFERENCES tenants,  -- NULL: the platform's
    country   text COLLATE "C",                     -- NULL: for every agent of the niche
    CONSTRAINT kb_scopes_unique UNIQUE NULLS NOT DISTINCT (niche_key, tenant_id, country)
);

CREATE TABLE kb_documents (
    id            text COLLATE "C" PRIMARY KEY,
    scope_id      integer          NOT NULL REFERENCES kb_scopes,
    source_key    text             NOT NULL,
    source_digest bytea            NOT NULL,  -- SHA-256 of source_key
    title         text             NOT NULL,
    language      text COLLATE "C" NOT NULL,
    origin        text             NOT NULL,
    content_hash  text COLLATE "C" NOT NULL,
    created_at    timestamptz      NOT NULL,
    url           text,
    fetched_at    timestamptz,
    deleted_at    timestamptz  -- a tombstone: the passages are gone, the title and the address of what was cited stay
);
CREATE UNIQUE INDEX kb_documents_live_source ON kb_documents (scope_id, source_digest) WHERE deleted_at IS NULL;
CREATE INDEX kb_documents_live_content ON kb_documents (scope_id, content_hash) WHERE deleted_at IS NULL;
CREATE INDEX kb_documents_live_newest ON kb_documents (scope_id, created_at, id) WHERE deleted_at IS NULL;

-- Terms are joined by spaces (they hold none): half the size of an array, and the adapter joins and splits faster.
CREATE TABLE kb_passages (
    document_id  text COLLATE "C" NOT NULL REFERENCES kb_documents,
    chunk_index  integer          NOT NULL,
    text         text             NOT NULL,
    content_hash text             NOT NULL,
    heading      text             NOT NULL,
    terms        text             NOT NULL,
    head_terms   text             NOT NULL,
    length       integer          NOT NULL,  -- number of terms and head terms
    PRIMARY KEY (document_id, chunk_index)
);

-- BM25's figures, kept by whoever adds or removes passages. One row a scope and language ...
CREATE TABLE kb_corpora (
    scope_id integer          NOT NULL REFERENCES kb_scopes,
    language text COLLATE "C" NOT NULL,
    passages bigint           NOT NULL,
    length   bigint           NOT NULL,  -- of all passages together, in terms
    PRIMARY KEY (scope_id, language)
) WITH (fillfactor = 50);

-- ... and one a term: in how many live passages it occurs. Each import changes the rows of common terms, so the pages
-- keep room for new versions, and the rows carry no foreign key (kb_corpora's says it already).
CREATE TABLE kb_terms (
    scope_id integer          NOT NULL,
    language text COLLATE "C" NOT NULL,
    term     text COLLATE "C" NOT NULL,
    passages integer          NOT NULL,
    PRIMARY KEY (scope_id, language, term)
) WITH (fillfactor = 70);

-- The outbox of the search index: documents whose entry there is out of date. version grows with each change; a worker
-- that reports back removes only the version it saw.
CREATE SEQUENCE kb_index_versions;
CREATE TABLE kb_index_changes (
    document_id     text COLLATE "C" PRIMARY KEY,
    version         bigint           NOT NULL DEFAULT nextval('kb_index_versions'),
    worker          text COLLATE "C",
    leased_until    timestamptz,
    claimed_version bigint
) WITH (fillfactor = 70);
CREATE INDEX kb_index_changes_oldest ON kb_index_changes (version);
