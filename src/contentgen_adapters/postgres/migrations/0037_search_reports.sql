-- What people search for, by niche and period.
CREATE TABLE search_reports (
    id          text COLLATE "C" PRIMARY KEY,
    tenant_id   text COLLATE "C" NOT NULL REFERENCES tenants,
    niche_id    text COLLATE "C" NOT NULL REFERENCES niches ON DELETE CASCADE,
    niche_key   text COLLATE "C" NOT NULL,
    starts_on   date             NOT NULL,
    ends_on     date             NOT NULL,
    about       text             NOT NULL,
    rows        integer          NOT NULL,
    clicks      bigint           NOT NULL,
    impressions bigint,
    imported_at timestamptz      NOT NULL
);
CREATE UNIQUE INDEX search_reports_of_period ON search_reports (tenant_id, niche_key, ends_on, starts_on, about);
CREATE INDEX search_reports_niche ON search_reports (niche_id);

CREATE TABLE search_figures (
    report_id   text COLLATE "C" NOT NULL REFERENCES search_reports ON DELETE CASCADE,
    place       integer          NOT NULL,  -- from those with most impressions on
    query       text             NOT NULL,
    page        text             NOT NULL,
    clicks      bigint           NOT NULL,
    impressions bigint,
    "position"  double precision,
    PRIMARY KEY (report_id, place)
);
