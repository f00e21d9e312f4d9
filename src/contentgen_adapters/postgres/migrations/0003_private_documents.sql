-- Private documents: what is known of them. Their passages are those of the kb_documents row of the same id.
CREATE TABLE private_documents (
    id             text COLLATE "C" PRIMARY KEY,
    tenant_id      text COLLATE "C" NOT NULL REFERENCES tenants,
    status         text COLLATE "C" NOT NULL,
    created_at     timestamptz      NOT NULL,
    content_hash   text COLLATE "C" NOT NULL,
    address_digest bytea,                      -- SHA-256 of its URL
    record         jsonb            NOT NULL,
    revision       bigint           NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX private_documents_of_tenant ON private_documents (tenant_id, created_at, id);
CREATE INDEX private_documents_of_status ON private_documents (tenant_id, status, created_at, id);
-- The same content or page twice would be two sources that are one. What has failed may be tried again.
CREATE UNIQUE INDEX private_documents_content ON private_documents (tenant_id, content_hash)
    WHERE content_hash <> '' AND status <> 'failed';
CREATE UNIQUE INDEX private_documents_address ON private_documents (tenant_id, address_digest)
    WHERE address_digest IS NOT NULL AND status <> 'failed';
