CREATE TABLE "unnumbered_receipts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"payment_id" bigint NOT NULL,
	"year" integer NOT NULL,
	"credit_centavos" bigint NOT NULL,
	"returned_centavos" bigint NOT NULL,
	"ip_address" text,
	"marks" jsonb NOT NULL,
	CONSTRAINT "unnumbered_receipts_payment_unique" UNIQUE("payment_id")
);
--> statement-breakpoint
ALTER TABLE "unnumbered_receipts" ADD CONSTRAINT "unnumbered_receipts_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;