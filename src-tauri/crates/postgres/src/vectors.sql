-- Vectors of passages by one model, for what means the same in other words. {schema} is where pgvector is, {dimensions} the
-- length of a vector.
CREATE TABLE nexi.vectors (
    document_id bigint NOT NULL,
    ordinal integer NOT NULL,
    group_id integer,
    vector {schema}.vector({dimensions}) NOT NULL,
    PRIMARY KEY (document_id, ordinal)
) PARTITION BY HASH (document_id);

-- Some of them, by which the rest is judged: how near is nearer than chance?
CREATE TABLE nexi.sample (vector {schema}.vector({dimensions}) NOT NULL);

ALTER TABLE nexi.vectors ENABLE ROW LEVEL SECURITY;
CREATE POLICY writers ON nexi.vectors FOR ALL TO nexi_writer USING (true) WITH CHECK (true);

-- Vectors go with the text that they were made of.
CREATE FUNCTION nexi.forget_vectors() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_RELID <> 'nexi.documents'::regclass THEN
        RAISE EXCEPTION 'this is for documents alone';
    END IF;
    DELETE FROM nexi.vectors v WHERE v.document_id = OLD.id;
    RETURN OLD;
END
$$;
CREATE TRIGGER forget_vectors AFTER DELETE OR UPDATE OF hash ON nexi.documents FOR EACH ROW EXECUTE FUNCTION nexi.forget_vectors();

REVOKE ALL ON FUNCTION nexi.forget_vectors() FROM PUBLIC;
GRANT SELECT, INSERT, DELETE ON nexi.vectors TO nexi_writer;
UPDATE nexi.meta SET embedder = {embedder}, dimensions = {dimensions};
