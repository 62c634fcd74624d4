-- What vectors are for; carried out again as functions.sql is.
-- Passages whose vectors lie nearest to this one, with how many standard deviations they lie above the mean.
CREATE OR REPLACE FUNCTION nexi.nearest(asked real[], most integer, filter jsonb)
RETURNS TABLE (document_id bigint, ordinal integer, heading text, body text, place jsonb, score double precision,
               title text, address text, dated text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
    wanted {schema}.vector({dimensions}) := asked::{schema}.vector;
    mean double precision;
    spread double precision;
BEGIN
    PERFORM set_config('hnsw.ef_search', '200', true);
    -- Goes on until there are enough of what the person may see; from version 0.8 on.
    IF {iterative} THEN
        PERFORM set_config('hnsw.iterative_scan', 'relaxed_order', true);
    END IF;
    SELECT avg(1 - (s.vector OPERATOR({schema}.<=>) wanted)), stddev_pop(1 - (s.vector OPERATOR({schema}.<=>) wanted))
        INTO mean, spread FROM nexi.sample s;
    -- Where everybody's documents are too few to tell, those of the person's groups do: of others nothing is told.
    IF (SELECT count(*) FROM nexi.sample) < 30 THEN
        SELECT avg(1 - (v.vector OPERATOR({schema}.<=>) wanted)), stddev_pop(1 - (v.vector OPERATOR({schema}.<=>) wanted)) INTO mean, spread
        FROM (
            SELECT x.vector FROM nexi.documents d JOIN nexi.vectors x ON x.document_id = d.id
            WHERE d.group_id IS NULL OR d.group_id IN (SELECT own.id FROM nexi.own_groups() AS own (id)) ORDER BY hashint8(d.id), x.ordinal LIMIT 500
        ) v;
    END IF;
    RETURN QUERY
    WITH mine AS MATERIALIZED (
        SELECT own.id FROM nexi.own_groups() AS own (id)
    ), near AS MATERIALIZED (
        SELECT v.document_id, v.ordinal, v.vector OPERATOR({schema}.<=>) wanted AS distance
        FROM nexi.vectors v
        WHERE (v.group_id IS NULL OR v.group_id IN (SELECT mine.id FROM mine)) AND (filter IS NULL OR EXISTS (
            SELECT FROM nexi.documents d WHERE d.id = v.document_id AND nexi.fits(d.path, coalesce(d.dated, d.modified), filter)))
        ORDER BY v.vector OPERATOR({schema}.<=>) wanted
        LIMIT most
    )
    SELECT n.document_id, n.ordinal, p.heading, p.body, p.place,
           coalesce((1 - n.distance - mean) / greatest(spread, 1e-6), 0), d.title, d.address, d.dated
    FROM near n
    JOIN nexi.passages p ON p.document_id = n.document_id AND p.ordinal = n.ordinal
    JOIN nexi.documents d ON d.id = n.document_id
    ORDER BY n.distance;
END
$$;

-- Takes the sample anew, of what everybody may see: what is told of it tells nothing of groups.
CREATE OR REPLACE FUNCTION nexi.take_sample() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    total bigint;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('nexi.take_sample')) THEN
        RETURN;
    END IF;
    SELECT m.passages INTO total FROM nexi.meta m;
    DELETE FROM nexi.sample;
    INSERT INTO nexi.sample SELECT v.vector FROM nexi.vectors v WHERE v.group_id IS NULL AND random() < 2000.0 / greatest(total, 1) LIMIT 1000;
END
$$;

REVOKE ALL ON FUNCTION nexi.nearest(real[], integer, jsonb), nexi.take_sample() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION nexi.nearest(real[], integer, jsonb) TO nexi_reader, nexi_writer;
GRANT EXECUTE ON FUNCTION nexi.take_sample() TO nexi_writer;
