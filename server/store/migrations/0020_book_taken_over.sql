ALTER TABLE "payments" DROP CONSTRAINT "payments_receipt_when_confirmed";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "old_number" text;--> statement-breakpoint
ALTER TABLE "loans" ADD COLUMN "old_number" text;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_old_number_unique" ON "accounts" USING btree ("old_number") WHERE "accounts"."old_number" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "loans_old_number_unique" ON "loans" USING btree ("old_number") WHERE "loans"."old_number" is not null;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_receipt_when_confirmed" CHECK (("payments"."receipt_serial" is null) = ("payments"."receipt_year" is null) and ("payments"."receipt_serial" is null or "payments"."status" in ('confirmed', 'reversed')));