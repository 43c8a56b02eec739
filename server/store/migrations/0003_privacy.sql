CREATE TABLE "consents" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"purpose" text NOT NULL,
	"language" text,
	"wording" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "consents_purpose_known" CHECK ("consents"."purpose" in ('register', 'profile', 'documents', 'application')),
	CONSTRAINT "consents_language_known" CHECK ("consents"."language" in ('en', 'fil'))
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "deletion_requested_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "erased_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "consents_account" ON "consents" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "accounts_closed" ON "accounts" USING btree ("deleted_at") WHERE "accounts"."deleted_at" is not null and "accounts"."erased_at" is null;--> statement-breakpoint
CREATE INDEX "audit_entries_revealed" ON "audit_entries" USING gin (("after" -> 'accountIds')) WHERE "audit_entries"."action" = 'password_revealed' and "audit_entries"."target_id" is null;
--> statement-breakpoint
-- What somebody agreed to is evidence, like the terms of a loan.
CREATE TRIGGER consents_append_only BEFORE UPDATE OR DELETE ON consents FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER consents_no_truncate BEFORE TRUNCATE ON consents FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
