CREATE INDEX "audit_entries_reference" ON "audit_entries" USING btree ("id") WHERE "audit_entries"."after" ? 'reference';--> statement-breakpoint
-- The log never changes. A reference, which names an account elsewhere, can be taken out of what an earlier version wrote.
CREATE FUNCTION refuse_change_of_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE' THEN
		IF to_jsonb(NEW) - 'after' = to_jsonb(OLD) - 'after' AND NEW.after = OLD.after - 'reference' THEN
			RETURN NEW;
		END IF;
	END IF;
	RAISE EXCEPTION 'table % is append-only', TG_TABLE_NAME
		USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_TABLE_NAME || '_append_only';
END
$$;
--> statement-breakpoint
DROP TRIGGER audit_entries_append_only ON audit_entries;
--> statement-breakpoint
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change_of_entry();
