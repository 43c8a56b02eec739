CREATE TABLE "loan_acceptances" (
	"loan_id" bigint NOT NULL,
	"version" integer NOT NULL,
	"hash" text NOT NULL,
	"accepted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "loan_acceptances_pk" PRIMARY KEY("loan_id","version")
);
--> statement-breakpoint
DROP INDEX "audit_entries_revealed";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "access_news_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "credit_without_loan_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "is_released_alone" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "loan_acceptances" ADD CONSTRAINT "loan_acceptances_terms_fk" FOREIGN KEY ("loan_id","version") REFERENCES "public"."loan_terms"("loan_id","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_entries_access" ON "audit_entries" USING btree ("target_id","created_at") WHERE (action in ('password_issued', 'otp_set', 'withdrawals_held') or action in ('member_updated', 'profile_updated') and after -> 'changed' ?| array['bankName', 'bankAccountNumber']);--> statement-breakpoint
CREATE INDEX "audit_entries_revealed" ON "audit_entries" USING gin (("after" -> 'accountIds')) WHERE "audit_entries"."action" in ('password_revealed', 'code_revealed') and "audit_entries"."target_id" is null;
--> statement-breakpoint
-- What a borrower agreed to is evidence, like the terms themselves.
CREATE TRIGGER loan_acceptances_append_only BEFORE UPDATE OR DELETE ON loan_acceptances FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER loan_acceptances_no_truncate BEFORE TRUNCATE ON loan_acceptances FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
