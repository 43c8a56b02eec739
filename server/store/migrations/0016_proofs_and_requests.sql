ALTER TABLE "approvals" ADD COLUMN "format" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "content_hash" text;--> statement-breakpoint
CREATE INDEX "approvals_old_format" ON "approvals" USING btree ("id") WHERE "approvals"."format" = 1;--> statement-breakpoint
CREATE INDEX "files_content" ON "files" USING btree ("content_hash");