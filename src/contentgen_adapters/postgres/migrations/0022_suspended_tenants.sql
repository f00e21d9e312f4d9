-- Since when a tenant's keys are refused and its schedules stand still; NULL: they are not.
ALTER TABLE tenants ADD COLUMN suspended_at timestamptz;
CREATE TRIGGER tenants_tell_suspension AFTER UPDATE OF suspended_at ON tenants
    FOR EACH ROW EXECUTE FUNCTION contentgen_tell_tenant();
