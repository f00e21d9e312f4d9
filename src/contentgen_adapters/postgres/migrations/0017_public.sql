-- Who is told of trends by mail. Nobody stands here before the address was confirmed, or after the subscription ended.
CREATE TABLE trend_alerts (
    id         text COLLATE "C" PRIMARY KEY,
    email      text COLLATE "C"   NOT NULL,  -- normal: ASCII in lower case, so equal addresses are equal texts
    niche_keys text[] COLLATE "C" NOT NULL,  -- empty: all
    min_score  double precision   NOT NULL,
    told       text[] COLLATE "C" NOT NULL,  -- slugs of trends, as far as they still exist
    told_at    timestamptz,
    revision   bigint             NOT NULL,
    CONSTRAINT trend_alerts_address UNIQUE (email)
);

-- Which visits to trends were counted, by a digest under the day's salt. Both are deleted after the day: from then on
-- nobody can find out whose visits they were.
CREATE TABLE trend_click_days (
    day  date PRIMARY KEY,
    salt bytea NOT NULL
);

CREATE TABLE trend_clicks (
    day    date  NOT NULL REFERENCES trend_click_days ON DELETE CASCADE,
    digest bytea NOT NULL,
    PRIMARY KEY (day, digest)
);
