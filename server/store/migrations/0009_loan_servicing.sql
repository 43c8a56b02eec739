CREATE TABLE "approvals" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"loan_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"payload" jsonb NOT NULL,
	"asked_by" bigint NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"decision" text,
	"decided_by" bigint,
	"decided_at" timestamp (3) with time zone,
	"reason" text DEFAULT '' NOT NULL,
	CONSTRAINT "approvals_decision_known" CHECK ("approvals"."decision" in ('approved', 'rejected')),
	CONSTRAINT "approvals_four_eyes" CHECK ("approvals"."asked_by" <> "approvals"."decided_by"),
	CONSTRAINT "approvals_decided_whole" CHECK (("approvals"."decision" is null) = ("approvals"."decided_by" is null) and ("approvals"."decision" is null) = ("approvals"."decided_at" is null))
);
--> statement-breakpoint
CREATE TABLE "instalments" (
	"loan_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"due_date" date NOT NULL,
	"amount_centavos" bigint NOT NULL,
	"interest_centavos" bigint NOT NULL,
	"principal_centavos" bigint NOT NULL,
	"paid_centavos" bigint NOT NULL,
	"left_centavos" bigint NOT NULL,
	CONSTRAINT "instalments_pk" PRIMARY KEY("loan_id","number")
);
--> statement-breakpoint
CREATE TABLE "loan_events" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"loan_id" bigint NOT NULL,
	"sequence" integer NOT NULL,
	"kind" text NOT NULL,
	"value_date" date NOT NULL,
	"amount_centavos" bigint,
	"months" integer,
	"channel" text,
	"reference" text,
	"is_settlement" boolean DEFAULT false NOT NULL,
	"is_auto" boolean DEFAULT false NOT NULL,
	"payment_id" bigint,
	"undoes" integer,
	"reason" text DEFAULT '' NOT NULL,
	"actor_id" bigint NOT NULL,
	"approver_id" bigint,
	"is_alone" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"previous_hash" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "loan_events_sequence_unique" UNIQUE("loan_id","sequence"),
	CONSTRAINT "loan_events_undone_once" UNIQUE("loan_id","undoes"),
	CONSTRAINT "loan_events_payment_once" UNIQUE("payment_id","kind"),
	CONSTRAINT "loan_events_kind_known" CHECK ("loan_events"."kind" in ('disbursement', 'cancellation', 'receipt', 'reversal', 'waiver', 'deferral', 'refund', 'write_off')),
	CONSTRAINT "loan_events_undoing" CHECK (("loan_events"."kind" in ('disbursement', 'cancellation', 'reversal')) = ("loan_events"."undoes" is not null)),
	CONSTRAINT "loan_events_amount" CHECK (("loan_events"."kind" in ('receipt', 'waiver', 'refund')) = ("loan_events"."amount_centavos" is not null) and "loan_events"."amount_centavos" > 0),
	CONSTRAINT "loan_events_months" CHECK (("loan_events"."kind" = 'deferral') = ("loan_events"."months" is not null)),
	CONSTRAINT "loan_events_four_eyes" CHECK ("loan_events"."approver_id" <> "loan_events"."actor_id")
);
--> statement-breakpoint
CREATE TABLE "loan_positions" (
	"loan_id" bigint PRIMARY KEY NOT NULL,
	"terms_version" integer NOT NULL,
	"event_sequence" integer NOT NULL,
	"event_hash" text NOT NULL,
	"state" text NOT NULL,
	"disbursed_on" date NOT NULL,
	"closed_on" date,
	"principal_left_centavos" bigint NOT NULL,
	"credit_centavos" bigint NOT NULL,
	"refund_to_return_centavos" bigint NOT NULL,
	"late_charges_paid_centavos" bigint NOT NULL,
	"late_charges_waived_centavos" bigint NOT NULL,
	"written_off_centavos" bigint NOT NULL,
	CONSTRAINT "loan_positions_state_known" CHECK ("loan_positions"."state" in ('open', 'settled', 'completed', 'written_off', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"loan_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"amount_centavos" bigint NOT NULL,
	"channel" text NOT NULL,
	"reference" text,
	"reference_key" text,
	"value_date" date NOT NULL,
	"is_settlement" boolean DEFAULT false NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"proof_file_id" text,
	"status" text NOT NULL,
	"receipt_year" integer,
	"receipt_serial" integer,
	"application" jsonb,
	"recorded_by" bigint NOT NULL,
	"confirmed_by" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payments_receipt_unique" UNIQUE("receipt_year","receipt_serial"),
	CONSTRAINT "payments_amount_positive" CHECK ("payments"."amount_centavos" > 0),
	CONSTRAINT "payments_channel_known" CHECK ("payments"."channel" in ('cash', 'bank_transfer', 'instapay', 'pesonet', 'gcash', 'maya', 'cheque', 'wallet', 'provider', 'restructure')),
	CONSTRAINT "payments_status_known" CHECK ("payments"."status" in ('submitted', 'confirmed', 'rejected', 'reversed')),
	CONSTRAINT "payments_receipt_when_confirmed" CHECK (("payments"."status" in ('confirmed', 'reversed')) = ("payments"."receipt_serial" is not null) and ("payments"."receipt_serial" is null) = ("payments"."receipt_year" is null))
);
--> statement-breakpoint
CREATE TABLE "receipt_numbers" (
	"year" integer PRIMARY KEY NOT NULL,
	"last_serial" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_type_known";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "withheld_roles" jsonb;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "loan_event_id" bigint;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_loan_id_loans_id_fk" FOREIGN KEY ("loan_id") REFERENCES "public"."loans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_asked_by_accounts_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_decided_by_accounts_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "instalments" ADD CONSTRAINT "instalments_loan_id_loans_id_fk" FOREIGN KEY ("loan_id") REFERENCES "public"."loans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "loan_events" ADD CONSTRAINT "loan_events_loan_id_loans_id_fk" FOREIGN KEY ("loan_id") REFERENCES "public"."loans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "loan_events" ADD CONSTRAINT "loan_events_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "loan_events" ADD CONSTRAINT "loan_events_actor_id_accounts_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "loan_events" ADD CONSTRAINT "loan_events_approver_id_accounts_id_fk" FOREIGN KEY ("approver_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "loan_positions" ADD CONSTRAINT "loan_positions_loan_id_loans_id_fk" FOREIGN KEY ("loan_id") REFERENCES "public"."loans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_loan_id_loans_id_fk" FOREIGN KEY ("loan_id") REFERENCES "public"."loans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_recorded_by_accounts_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_confirmed_by_accounts_id_fk" FOREIGN KEY ("confirmed_by") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "approvals_open" ON "approvals" USING btree ("id" DESC NULLS LAST) WHERE "approvals"."decision" is null;--> statement-breakpoint
CREATE INDEX "approvals_loan" ON "approvals" USING btree ("loan_id");--> statement-breakpoint
CREATE INDEX "approvals_account" ON "approvals" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "instalments_unpaid" ON "instalments" USING btree ("due_date","loan_id") WHERE "instalments"."left_centavos" > 0;--> statement-breakpoint
CREATE INDEX "loan_positions_open" ON "loan_positions" USING btree ("loan_id") WHERE "loan_positions"."state" in ('open', 'written_off');--> statement-breakpoint
CREATE INDEX "payments_loan" ON "payments" USING btree ("loan_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "payments_account" ON "payments" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "payments_proof" ON "payments" USING btree ("proof_file_id") WHERE "payments"."proof_file_id" is not null;--> statement-breakpoint
CREATE INDEX "payments_status_newest" ON "payments" USING btree ("status","id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "payments_reference_unique" ON "payments" USING btree ("channel","reference_key") WHERE "payments"."reference_key" is not null and "payments"."status" <> 'rejected';--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_loan_event_id_loan_events_id_fk" FOREIGN KEY ("loan_event_id") REFERENCES "public"."loan_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_loan_event_once" ON "ledger_entries" USING btree ("loan_event_id","type") WHERE "ledger_entries"."loan_event_id" is not null;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_loan_event_named" CHECK ("ledger_entries"."loan_event_id" is not null or "ledger_entries"."type" not in ('disbursement_reversal', 'loan_payment', 'loan_payment_reversal', 'loan_refund'));--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_type_known" CHECK ("ledger_entries"."type" in ('admin_adjustment', 'disbursement', 'correction', 'withdrawal', 'withdrawal_refund', 'disbursement_reversal', 'loan_payment', 'loan_payment_reversal', 'loan_refund'));--> statement-breakpoint
-- What happened to a loan is undone by another event, never changed.
CREATE TRIGGER loan_events_append_only BEFORE UPDATE OR DELETE ON loan_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER loan_events_no_truncate BEFORE TRUNCATE ON loan_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
