CREATE TABLE "journal_movements" (
	"loan_id" bigint NOT NULL,
	"sequence" integer NOT NULL,
	"recorded_on" date NOT NULL,
	"value_date" date NOT NULL,
	"principal_centavos" bigint NOT NULL,
	"interest_centavos" bigint NOT NULL,
	"late_charges_centavos" bigint NOT NULL,
	CONSTRAINT "journal_movements_pk" PRIMARY KEY("loan_id","sequence")
);
--> statement-breakpoint
CREATE TABLE "loan_movements" (
	"loan_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"value_date" date NOT NULL,
	"until_date" date,
	"kind" text NOT NULL,
	"principal_centavos" bigint NOT NULL,
	"loans" integer NOT NULL,
	"principal_left_centavos" bigint NOT NULL,
	"oldest_due_on" date,
	"received_centavos" bigint NOT NULL,
	"recovered_centavos" bigint NOT NULL,
	CONSTRAINT "loan_movements_pk" PRIMARY KEY("loan_id","number"),
	CONSTRAINT "loan_movements_kind_known" CHECK ("loan_movements"."kind" in ('released', 'cancelled', 'received', 'written_off', 'other'))
);
--> statement-breakpoint
ALTER TABLE "journal_movements" ADD CONSTRAINT "journal_movements_loan_id_loans_id_fk" FOREIGN KEY ("loan_id") REFERENCES "public"."loans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "loan_movements" ADD CONSTRAINT "loan_movements_loan_id_loans_id_fk" FOREIGN KEY ("loan_id") REFERENCES "public"."loans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "journal_movements_recorded" ON "journal_movements" USING btree ("recorded_on");--> statement-breakpoint
CREATE INDEX "journal_movements_dated" ON "journal_movements" USING btree ("value_date");