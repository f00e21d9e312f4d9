-- What evidence files are signed with: one present key, and the public halves of those before it.
CREATE TABLE signing_keys (
    id         text COLLATE "C" PRIMARY KEY,
    public     text             NOT NULL,
    created_at timestamptz      NOT NULL,
    sealed     text             NOT NULL,
    retired_at timestamptz
);
CREATE UNIQUE INDEX signing_keys_present ON signing_keys ((retired_at IS NULL)) WHERE retired_at IS NULL;
CREATE INDEX signing_keys_by_end ON signing_keys (retired_at, id);
