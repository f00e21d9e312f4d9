-- What the calendar shows by its time, and the links of its feed.
ALTER TABLE publications ADD COLUMN published_at timestamptz;
UPDATE publications SET published_at = (record->>'published_at')::timestamptz
    WHERE record->>'published_at' IS NOT NULL;
CREATE INDEX publications_by_date ON publications (tenant_id, published_at, id) WHERE published_at IS NOT NULL;
CREATE INDEX articles_by_schedule ON articles (tenant_id, scheduled_for, id) WHERE status = 'scheduled';
CREATE INDEX articles_with_a_plan ON articles (tenant_id, created_at, id) WHERE status = 'draft' AND plan IS NOT NULL;

CREATE TABLE calendar_links (
    user_id    text COLLATE "C" PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    tenant_id  text COLLATE "C" NOT NULL,
    digest     text COLLATE "C" NOT NULL UNIQUE,
    created_at timestamptz      NOT NULL
);
CREATE INDEX calendar_links_of_tenant ON calendar_links (tenant_id);
