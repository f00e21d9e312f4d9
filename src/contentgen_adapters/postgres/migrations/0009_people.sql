-- What article schedules that name no zone get. May be absent: processes of the version before go on adding tenants.
ALTER TABLE tenants ADD COLUMN time_zone text;

-- Who was asked to join. Accepting or cancelling one deletes it.
CREATE TABLE invitations (
    id             text COLLATE "C" PRIMARY KEY,
    tenant_id      text COLLATE "C" NOT NULL REFERENCES tenants,
    email          text COLLATE "C" NOT NULL,  -- normal: ASCII in lower case, so equal addresses are equal texts
    role           text             NOT NULL,
    invited_by     text COLLATE "C" NOT NULL,  -- a user; no reference, since it may outlive one
    invited_at     timestamptz      NOT NULL,
    expires_at     timestamptz      NOT NULL,
    nonce          text             NOT NULL,  -- of the one link that is valid
    job_id         text COLLATE "C" NOT NULL,
    delivery       text             NOT NULL,
    delivery_error text,
    CONSTRAINT invitations_address UNIQUE (tenant_id, email)
);

-- Facts about the installation as a whole: so far, the fingerprint of the secret behind its API keys.
CREATE TABLE installation (
    name  text COLLATE "C" PRIMARY KEY,
    value text             NOT NULL
);
