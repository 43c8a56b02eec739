DROP INDEX "withdrawals_completed";--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "completed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "withdrawals_completed" ON "withdrawals" USING btree ("completed_at") WHERE "withdrawals"."completed_at" is not null;