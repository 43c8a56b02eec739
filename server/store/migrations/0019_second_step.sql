ALTER TABLE "accounts" ADD COLUMN "second_step_sealed" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "second_step_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "second_step_used" integer;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "recovery_codes" jsonb;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "last_used_at" timestamp (3) with time zone;