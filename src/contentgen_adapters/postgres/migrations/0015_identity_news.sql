-- Whoever remembers keys is told when one was revoked, a person's role or a tenant's plan changed, or they are gone.
CREATE FUNCTION contentgen_tell_identity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('contentgen_identities', OLD.tenant_id);
    RETURN NULL;
END $$;

CREATE FUNCTION contentgen_tell_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('contentgen_identities', OLD.id);
    RETURN NULL;
END $$;

CREATE TRIGGER api_keys_tell AFTER DELETE OR UPDATE OF revoked_at, expires_at, user_id ON api_keys
    FOR EACH ROW EXECUTE FUNCTION contentgen_tell_identity();
CREATE TRIGGER users_tell AFTER DELETE OR UPDATE OF role, platform_admin ON users
    FOR EACH ROW EXECUTE FUNCTION contentgen_tell_identity();
CREATE TRIGGER tenants_tell AFTER DELETE OR UPDATE OF plan ON tenants
    FOR EACH ROW EXECUTE FUNCTION contentgen_tell_tenant();
