DROP INDEX "instalments_unpaid";--> statement-breakpoint
CREATE INDEX "instalments_unpaid" ON "instalments" USING btree ("due_date","loan_id","left_centavos") WHERE "instalments"."left_centavos" > 0;