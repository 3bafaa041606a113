-- Lock two. The reading role owns nothing, so row-level security binds it; the departments of the asker are a setting of
-- the transaction. Unset, or empty again after the transaction, it shows no row at all.

CREATE PROCEDURE guard(guarded regclass) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', guarded);
    EXECUTE format(
        'CREATE POLICY visible ON %s FOR SELECT TO knowledge_app USING '
        '(department = ANY ((SELECT NULLIF(current_setting(''app.departments'', true), '''')::text[])::text[]))',
        guarded);
    EXECUTE format('GRANT SELECT ON %s TO knowledge_app', guarded);
END
$$;
REVOKE ALL ON PROCEDURE guard(regclass) FROM PUBLIC;

CALL guard('document');
CALL guard('chunk');
CALL guard('chunk_vector');
CALL guard('chunk_bits');
CALL guard('posting');
CALL guard('department_stat');
CALL guard('tree_node');

GRANT SELECT (fingerprint, dimensions, mean) ON embedder TO knowledge_app;
