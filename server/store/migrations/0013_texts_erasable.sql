ALTER TABLE "files" ADD COLUMN "number" bigserial NOT NULL;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "format" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "loan_events" ADD COLUMN "format" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "loan_events" ADD COLUMN "text_salt" text;--> statement-breakpoint
ALTER TABLE "loan_events" ADD COLUMN "text_hash" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "format" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "files_old_format" ON "files" USING btree ("number") WHERE "files"."format" = 1;--> statement-breakpoint
CREATE INDEX "loan_events_old_format" ON "loan_events" USING btree ("loan_id") WHERE "loan_events"."format" = 1;--> statement-breakpoint
CREATE INDEX "payments_old_format" ON "payments" USING btree ("id") WHERE "payments"."format" = 1;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_number_unique" UNIQUE("number");--> statement-breakpoint
-- What happened to a loan never changes. What is written about a person can be taken away, and the chain made anew.
CREATE FUNCTION refuse_change_of_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	free text[] := array['reference', 'reason', 'format', 'text_salt', 'text_hash', 'previous_hash', 'hash'];
BEGIN
	IF TG_OP = 'UPDATE' THEN
		IF to_jsonb(NEW) - free = to_jsonb(OLD) - free
			AND (NEW.reference IS NULL OR NEW.reference = OLD.reference)
			AND (NEW.reason = '' OR NEW.reason = OLD.reason) THEN
			RETURN NEW;
		END IF;
	END IF;
	RAISE EXCEPTION 'table % is append-only', TG_TABLE_NAME
		USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_TABLE_NAME || '_append_only';
END
$$;
--> statement-breakpoint
DROP TRIGGER loan_events_append_only ON loan_events;
--> statement-breakpoint
CREATE TRIGGER loan_events_append_only BEFORE UPDATE OR DELETE ON loan_events FOR EACH ROW EXECUTE FUNCTION refuse_change_of_event();
