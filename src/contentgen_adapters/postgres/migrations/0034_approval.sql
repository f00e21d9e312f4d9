-- What was last said of an article's text, with the state that this gives the text as it is stored (a changed text has
-- lost its approval), and the niches that demand approval.
ALTER TABLE articles ADD COLUMN approval jsonb, ADD COLUMN approval_state text NOT NULL DEFAULT 'none';
CREATE INDEX articles_in_approval ON articles (tenant_id, approval_state, created_at, id)
    WHERE approval_state <> 'none';

CREATE TABLE approval_policies (
    id        text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
    niche_id  text COLLATE "C" NOT NULL REFERENCES niches ON DELETE CASCADE,
    niche_key text COLLATE "C" NOT NULL,
    required  boolean          NOT NULL,
    record    jsonb            NOT NULL,
    revision  bigint           NOT NULL
);
CREATE UNIQUE INDEX approval_policies_of_niche ON approval_policies (tenant_id, niche_key);
CREATE INDEX approval_policies_niche ON approval_policies (niche_id);
