ALTER TABLE "payments" DROP CONSTRAINT "payments_status_known";--> statement-breakpoint
DROP INDEX "payments_reference_unique";--> statement-breakpoint
CREATE UNIQUE INDEX "payments_reference_unique" ON "payments" USING btree ("channel","reference_key") WHERE "payments"."reference_key" is not null and "payments"."status" in ('submitted', 'confirmed');--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_status_known" CHECK ("payments"."status" in ('submitted', 'confirmed', 'rejected', 'reversed', 'withdrawn'));