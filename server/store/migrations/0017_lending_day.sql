CREATE TABLE "complaint_messages" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"complaint_id" bigint NOT NULL,
	"author_id" bigint NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "complaints" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"loan_id" bigint,
	"category" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"acknowledged_by" bigint,
	"acknowledged_at" timestamp (3) with time zone,
	"resolved_by" bigint,
	"resolved_at" timestamp (3) with time zone,
	CONSTRAINT "complaints_category_known" CHECK ("complaints"."category" in ('collection', 'amount', 'service', 'privacy', 'other')),
	CONSTRAINT "complaints_status_known" CHECK ("complaints"."status" in ('open', 'acknowledged', 'resolved')),
	CONSTRAINT "complaints_resolved_whole" CHECK (("complaints"."status" = 'resolved') = ("complaints"."resolved_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"loan_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"channel" text NOT NULL,
	"outcome" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"promise_date" date,
	"promise_centavos" bigint,
	"is_against_guard" boolean DEFAULT false NOT NULL,
	"actor_id" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contacts_channel_known" CHECK ("contacts"."channel" in ('call', 'sms', 'visit', 'letter')),
	CONSTRAINT "contacts_outcome_known" CHECK ("contacts"."outcome" in ('reached', 'no_answer', 'wrong_number', 'refused', 'incoming', 'other')),
	CONSTRAINT "contacts_promise_whole" CHECK (("contacts"."promise_date" is null) = ("contacts"."promise_centavos" is null) and "contacts"."promise_centavos" > 0)
);
--> statement-breakpoint
ALTER TABLE "loan_positions" ADD COLUMN "oldest_due_on" date;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "bank_reference" text;--> statement-breakpoint
ALTER TABLE "complaint_messages" ADD CONSTRAINT "complaint_messages_complaint_id_complaints_id_fk" FOREIGN KEY ("complaint_id") REFERENCES "public"."complaints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "complaint_messages" ADD CONSTRAINT "complaint_messages_author_id_accounts_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "complaints" ADD CONSTRAINT "complaints_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "complaints" ADD CONSTRAINT "complaints_loan_id_loans_id_fk" FOREIGN KEY ("loan_id") REFERENCES "public"."loans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "complaints" ADD CONSTRAINT "complaints_acknowledged_by_accounts_id_fk" FOREIGN KEY ("acknowledged_by") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "complaints" ADD CONSTRAINT "complaints_resolved_by_accounts_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_loan_id_loans_id_fk" FOREIGN KEY ("loan_id") REFERENCES "public"."loans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_actor_id_accounts_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "complaint_messages_complaint" ON "complaint_messages" USING btree ("complaint_id","id");--> statement-breakpoint
CREATE INDEX "complaints_account_newest" ON "complaints" USING btree ("account_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "complaints_unresolved" ON "complaints" USING btree ("created_at") WHERE "complaints"."status" <> 'resolved';--> statement-breakpoint
CREATE INDEX "contacts_loan_newest" ON "contacts" USING btree ("loan_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "contacts_account_newest" ON "contacts" USING btree ("account_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "contacts_promises" ON "contacts" USING btree ("loan_id","id" DESC NULLS LAST) WHERE "contacts"."promise_date" is not null;--> statement-breakpoint
CREATE INDEX "accounts_code_asked" ON "accounts" USING btree ("code_requested_at") WHERE "accounts"."code_requested_at" is not null;--> statement-breakpoint
CREATE INDEX "accounts_pending" ON "accounts" USING btree ("id") WHERE "accounts"."status" = 'pending' and not "accounts"."is_admin" and "accounts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "loan_events_recorded" ON "loan_events" USING btree ("created_at","kind");--> statement-breakpoint
CREATE INDEX "loan_positions_oldest_due" ON "loan_positions" USING btree ("oldest_due_on") WHERE "loan_positions"."state" in ('open', 'written_off') and "loan_positions"."oldest_due_on" is not null;--> statement-breakpoint
CREATE INDEX "loans_waiting" ON "loans" USING btree ("status","id") WHERE "loans"."status" in ('pending', 'approved') and "loans"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "withdrawals_completed" ON "withdrawals" USING btree ("updated_at") WHERE "withdrawals"."status" = 'completed';