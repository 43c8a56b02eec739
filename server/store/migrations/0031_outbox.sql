CREATE TABLE "contact_codes" (
	"account_id" bigint NOT NULL,
	"channel" text NOT NULL,
	"code_sealed" text NOT NULL,
	"address_hash" text NOT NULL,
	"wrong_tries" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contact_codes_pk" PRIMARY KEY("account_id","channel")
);
--> statement-breakpoint
CREATE TABLE "message_gates" (
	"name" text PRIMARY KEY NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"reason" text,
	"next_at" timestamp (3) with time zone,
	"last_sent_at" timestamp (3) with time zone,
	"done_on" date
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"account_id" bigint,
	"kind" text NOT NULL,
	"rank" integer NOT NULL,
	"channel" text NOT NULL,
	"language" text DEFAULT 'en' NOT NULL,
	"details" jsonb,
	"has_own_address" boolean DEFAULT false NOT NULL,
	"address_sealed" text,
	"sent_to" text DEFAULT '' NOT NULL,
	"code_name" text,
	"loan_id" bigint,
	"instalment" integer,
	"offset_days" integer,
	"remind_on" date,
	"state" text NOT NULL,
	"reason" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"repeats" integer DEFAULT 0 NOT NULL,
	"not_before" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"claimed_at" timestamp (3) with time zone,
	"gateway_id" text,
	"ask_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "messages_channel_known" CHECK ("messages"."channel" in ('sms', 'email')),
	CONSTRAINT "messages_state_known" CHECK ("messages"."state" in ('queued', 'held', 'sending', 'sent', 'delivered', 'failed', 'unknown', 'expired', 'cancelled')),
	CONSTRAINT "messages_reminder_whole" CHECK (("messages"."loan_id" is null) = ("messages"."instalment" is null) and ("messages"."loan_id" is null) = ("messages"."offset_days" is null) and ("messages"."loan_id" is null) = ("messages"."remind_on" is null)),
	CONSTRAINT "messages_sent_to_somebody" CHECK ("messages"."account_id" is not null or "messages"."kind" = 'trial')
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "is_otp_by_text" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "phone_confirmed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "phone_confirmed_by" bigint;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "email_confirmed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "wants_reminders" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "wants_news" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "wants_changed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "contact_codes" ADD CONSTRAINT "contact_codes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_loan_id_loans_id_fk" FOREIGN KEY ("loan_id") REFERENCES "public"."loans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_codes_age" ON "contact_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "messages_account_newest" ON "messages" USING btree ("account_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "messages_waiting" ON "messages" USING btree ("channel","rank","id") WHERE "messages"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "messages_held" ON "messages" USING btree ("id") WHERE "messages"."state" = 'held';--> statement-breakpoint
CREATE INDEX "messages_sending" ON "messages" USING btree ("claimed_at") WHERE "messages"."state" = 'sending';--> statement-breakpoint
CREATE INDEX "messages_claimed" ON "messages" USING btree ("channel","claimed_at");--> statement-breakpoint
CREATE INDEX "messages_codes" ON "messages" USING btree ("created_at") WHERE "messages"."rank" = 0;--> statement-breakpoint
CREATE INDEX "messages_state_newest" ON "messages" USING btree ("state","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "messages_asked" ON "messages" USING btree ("ask_at") WHERE "messages"."ask_at" is not null;--> statement-breakpoint
CREATE INDEX "messages_addressed" ON "messages" USING btree ("created_at") WHERE "messages"."address_sealed" is not null;--> statement-breakpoint
CREATE INDEX "messages_detailed" ON "messages" USING btree ("created_at") WHERE "messages"."details" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_reminder_once" ON "messages" USING btree ("loan_id","instalment","offset_days") WHERE "messages"."loan_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_reminder_a_day" ON "messages" USING btree ("account_id","remind_on") WHERE "messages"."remind_on" is not null and "messages"."reason" is distinct from 'merged';