ALTER TABLE "approvals" DROP CONSTRAINT "approvals_four_eyes";--> statement-breakpoint
ALTER TABLE "approvals" DROP CONSTRAINT "approvals_decision_known";--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_status_known";--> statement-breakpoint
DROP INDEX "audit_entries_access";--> statement-breakpoint
DROP INDEX "payments_reference_unique";--> statement-breakpoint
CREATE INDEX "audit_entries_access" ON "audit_entries" USING btree ("target_id","created_at") WHERE (action in ('password_issued', 'otp_set', 'withdrawals_held') or action in ('member_updated', 'profile_updated') and after -> 'changed' ?| array['phone', 'bankName', 'bankAccountNumber']);--> statement-breakpoint
CREATE UNIQUE INDEX "payments_reference_unique" ON "payments" USING btree ("channel","reference_key") WHERE "payments"."reference_key" is not null and "payments"."status" in ('submitted', 'confirmed');--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_decision_known" CHECK ("approvals"."decision" in ('approved', 'rejected', 'withdrawn', 'outdated'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_status_known" CHECK ("payments"."status" in ('submitted', 'confirmed', 'rejected', 'reversed', 'withdrawn'));