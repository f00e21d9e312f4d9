-- Who signs in to the console by mail: found by the address, in all tenants.
CREATE INDEX users_by_email ON users (email) WHERE email IS NOT NULL;

CREATE TABLE sign_in_links (
    id         text COLLATE "C" PRIMARY KEY,
    tenant_id  text COLLATE "C" NOT NULL REFERENCES tenants,
    user_id    text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
    nonce      text             NOT NULL,
    created_at timestamptz      NOT NULL,
    expires_at timestamptz      NOT NULL
);
CREATE INDEX sign_in_links_of_tenant ON sign_in_links (tenant_id);
CREATE INDEX sign_in_links_of_user ON sign_in_links (user_id);
CREATE INDEX sign_in_links_by_end ON sign_in_links (expires_at);

CREATE TABLE web_sessions (
    id           text COLLATE "C" PRIMARY KEY,
    tenant_id    text COLLATE "C" NOT NULL REFERENCES tenants,
    user_id      text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
    digest       text COLLATE "C" NOT NULL CONSTRAINT web_sessions_digest_unique UNIQUE,
    created_at   timestamptz      NOT NULL,
    last_used_at timestamptz      NOT NULL,
    key_id       text COLLATE "C" REFERENCES api_keys ON DELETE CASCADE
);
CREATE INDEX web_sessions_of_tenant ON web_sessions (tenant_id);
CREATE INDEX web_sessions_of_user ON web_sessions (user_id, last_used_at);
CREATE INDEX web_sessions_of_key ON web_sessions (key_id) WHERE key_id IS NOT NULL;
CREATE INDEX web_sessions_by_begin ON web_sessions (created_at);
CREATE INDEX web_sessions_by_use ON web_sessions (last_used_at);
