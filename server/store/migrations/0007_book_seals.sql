CREATE TABLE "book_keys" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"fingerprint" text NOT NULL,
	"sealed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "row_seals" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"table_name" text NOT NULL,
	"row_id" bigint NOT NULL,
	"mac" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_seals" ADD COLUMN "positions" text;--> statement-breakpoint
ALTER TABLE "loan_terms" ADD COLUMN "id" bigserial NOT NULL;--> statement-breakpoint
CREATE INDEX "row_seals_newest" ON "row_seals" USING btree ("table_name","row_id","id" DESC NULLS LAST);--> statement-breakpoint
ALTER TABLE "loan_terms" ADD CONSTRAINT "loan_terms_id_unique" UNIQUE("id");--> statement-breakpoint
CREATE TRIGGER row_seals_append_only BEFORE UPDATE OR DELETE ON row_seals FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER row_seals_no_truncate BEFORE TRUNCATE ON row_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER book_keys_append_only BEFORE UPDATE OR DELETE ON book_keys FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER book_keys_no_truncate BEFORE TRUNCATE ON book_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
