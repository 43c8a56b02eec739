ALTER TABLE "complaints" DROP CONSTRAINT "complaints_status_known";--> statement-breakpoint
ALTER TABLE "contacts" DROP CONSTRAINT "contacts_channel_known";--> statement-breakpoint
DROP INDEX "complaints_unresolved";--> statement-breakpoint
ALTER TABLE "contacts" ALTER COLUMN "loan_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "complaints" ADD COLUMN "withdrawn_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "complaints_unresolved" ON "complaints" USING btree ("created_at") WHERE "complaints"."status" not in ('resolved', 'withdrawn');--> statement-breakpoint
ALTER TABLE "complaints" ADD CONSTRAINT "complaints_withdrawn_whole" CHECK (("complaints"."status" = 'withdrawn') = ("complaints"."withdrawn_at" is not null));--> statement-breakpoint
ALTER TABLE "complaints" ADD CONSTRAINT "complaints_status_known" CHECK ("complaints"."status" in ('open', 'acknowledged', 'resolved', 'withdrawn'));--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_channel_known" CHECK ("contacts"."channel" in ('call', 'sms', 'visit', 'letter', 'message'));