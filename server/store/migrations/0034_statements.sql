CREATE TABLE "statement_lines" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"statement_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"hash" text NOT NULL,
	"date" date NOT NULL,
	"amount_centavos" bigint NOT NULL,
	"reference" text,
	"loan_id" bigint NOT NULL,
	"payment_id" bigint,
	CONSTRAINT "statement_lines_number_unique" UNIQUE("statement_id","number"),
	CONSTRAINT "statement_lines_amount" CHECK ("statement_lines"."amount_centavos" > 0)
);
--> statement-breakpoint
CREATE TABLE "statements" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"channel" text NOT NULL,
	"account" text NOT NULL,
	"line_count" integer NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "statements_channel_known" CHECK ("statements"."channel" in ('cash', 'bank_transfer', 'instapay', 'pesonet', 'gcash', 'maya', 'cheque', 'wallet')),
	CONSTRAINT "statements_lines" CHECK ("statements"."line_count" > 0)
);
--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_statement_id_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."statements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_loan_id_loans_id_fk" FOREIGN KEY ("loan_id") REFERENCES "public"."loans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_created_by_accounts_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "statement_lines_hash" ON "statement_lines" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "statement_lines_loan" ON "statement_lines" USING btree ("loan_id");