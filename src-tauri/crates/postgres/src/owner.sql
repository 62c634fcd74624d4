-- Whoever carries this out owns what is new in {schema}; what looks as the owner of the schema does has to be allowed to call it.
DO $$
DECLARE
    routine regprocedure;
    owner name := (SELECT r.rolname FROM pg_namespace n JOIN pg_roles r ON r.oid = n.nspowner WHERE n.nspname = '{schema}');
BEGIN
    FOR routine IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = '{schema}'::regnamespace AND pg_get_userbyid(p.proowner) <> owner LOOP
        EXECUTE format('ALTER FUNCTION %s OWNER TO %I', routine, owner);
    END LOOP;
END
$$;
