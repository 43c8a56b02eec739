ALTER TABLE "loans" ADD COLUMN "released_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "loans" ADD COLUMN "released_centavos" bigint;--> statement-breakpoint
ALTER TABLE "loans" ADD CONSTRAINT "loans_released_positive" CHECK ("loans"."released_centavos" > 0);--> statement-breakpoint
ALTER TABLE "loans" ADD CONSTRAINT "loans_released_whole" CHECK (("loans"."released_at" is null) = ("loans"."released_centavos" is null));