DROP INDEX "payments_reference_unique";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "sent_centavos" bigint;--> statement-breakpoint
CREATE INDEX "payments_reference" ON "payments" USING btree ("reference_key") WHERE "payments"."reference_key" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_reference_unique" ON "payments" USING btree ("channel","reference_key") WHERE "payments"."reference_key" is not null and ("payments"."status" = 'confirmed' or ("payments"."status" = 'submitted' and "payments"."recorded_by" <> "payments"."account_id"));