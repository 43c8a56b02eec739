DROP INDEX "accounts_pending";--> statement-breakpoint
DROP INDEX "contacts_promises";--> statement-breakpoint
DROP INDEX "loan_positions_oldest_due";--> statement-breakpoint
CREATE INDEX "accounts_pending" ON "accounts" USING btree ("id") WHERE "accounts"."status" = 'pending' and "accounts"."selfie_file_id" is not null and not "accounts"."is_admin"
        and "accounts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "contacts_promises" ON "contacts" USING btree ("loan_id","id" DESC NULLS LAST,"promise_date","promise_centavos","created_at") WHERE "contacts"."promise_date" is not null;--> statement-breakpoint
CREATE INDEX "loan_positions_oldest_due" ON "loan_positions" USING btree ("oldest_due_on","state","loan_id","principal_left_centavos","refund_to_return_centavos") WHERE "loan_positions"."state" in ('open', 'written_off') and "loan_positions"."oldest_due_on" is not null;