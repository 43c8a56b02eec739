DROP INDEX "accounts_phone_unique";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "phone_share" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "format" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "accounts_phone_shared" ON "accounts" USING btree ("phone_key") WHERE "accounts"."phone_share" <> 0;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_phone_unique" ON "accounts" USING btree ("phone_key","phone_share");