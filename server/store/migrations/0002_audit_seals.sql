CREATE TABLE "audit_seals" (
	"number" integer PRIMARY KEY NOT NULL,
	"first_id" bigint NOT NULL,
	"last_id" bigint NOT NULL,
	"entry_count" integer NOT NULL,
	"entry_hashes" text NOT NULL,
	"previous_hash" text NOT NULL,
	"hash" text NOT NULL,
	"sealed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audit_seals_number_positive" CHECK ("audit_seals"."number" >= 1),
	CONSTRAINT "audit_seals_range" CHECK ("audit_seals"."first_id" <= "audit_seals"."last_id" and "audit_seals"."entry_count" >= 1)
);
--> statement-breakpoint
-- The seals can only grow, like the log that they seal.
CREATE TRIGGER audit_seals_append_only BEFORE UPDATE OR DELETE ON audit_seals FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_seals_no_truncate BEFORE TRUNCATE ON audit_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
