-- One edition of the books at a time: a session names the edition that it writes, and an older version names none. Old versions
-- take 25006 (the server accepts no writes) for a database that is away, and answer 503.
CREATE TABLE drizzle.books_edition (edition integer NOT NULL);
--> statement-breakpoint
INSERT INTO drizzle.books_edition VALUES (1);
--> statement-breakpoint
CREATE FUNCTION require_books_edition() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	stored integer := (SELECT edition FROM drizzle.books_edition);
BEGIN
	IF current_setting('hiram.edition', true) IS DISTINCT FROM stored::text THEN
		RAISE EXCEPTION 'the books are of edition %, and this server writes another', stored
			USING ERRCODE = '25006', CONSTRAINT = 'books_edition';
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER row_seals_edition BEFORE INSERT ON row_seals FOR EACH STATEMENT EXECUTE FUNCTION require_books_edition();
--> statement-breakpoint
CREATE TRIGGER audit_entries_edition BEFORE INSERT ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION require_books_edition();
