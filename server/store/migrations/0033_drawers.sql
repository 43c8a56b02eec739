CREATE TABLE "drawer_movements" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"drawer_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"amount_centavos" bigint NOT NULL,
	"loan_id" bigint NOT NULL,
	"payment_id" bigint,
	"actor_id" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "drawer_movements_kind_known" CHECK ("drawer_movements"."kind" in ('taken', 'handed_back', 'reversed', 'refunded')),
	CONSTRAINT "drawer_movements_amount" CHECK (("drawer_movements"."kind" = 'taken') = ("drawer_movements"."amount_centavos" > 0) and "drawer_movements"."amount_centavos" <> 0)
);
--> statement-breakpoint
CREATE TABLE "drawers" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"float_centavos" bigint NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"closed_by" bigint,
	"counted_centavos" bigint,
	"expected_centavos" bigint,
	"reason" text,
	CONSTRAINT "drawers_closed_whole" CHECK (num_nonnulls("drawers"."closed_at", "drawers"."closed_by", "drawers"."counted_centavos", "drawers"."expected_centavos") in (0, 4)),
	CONSTRAINT "drawers_amounts" CHECK ("drawers"."float_centavos" >= 0 and "drawers"."counted_centavos" >= 0)
);
--> statement-breakpoint
ALTER TABLE "drawer_movements" ADD CONSTRAINT "drawer_movements_drawer_id_drawers_id_fk" FOREIGN KEY ("drawer_id") REFERENCES "public"."drawers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drawer_movements" ADD CONSTRAINT "drawer_movements_loan_id_loans_id_fk" FOREIGN KEY ("loan_id") REFERENCES "public"."loans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drawer_movements" ADD CONSTRAINT "drawer_movements_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drawer_movements" ADD CONSTRAINT "drawer_movements_actor_id_accounts_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drawers" ADD CONSTRAINT "drawers_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drawers" ADD CONSTRAINT "drawers_closed_by_accounts_id_fk" FOREIGN KEY ("closed_by") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "drawer_movements_drawer" ON "drawer_movements" USING btree ("drawer_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "drawer_movements_once" ON "drawer_movements" USING btree ("payment_id","kind");--> statement-breakpoint
CREATE UNIQUE INDEX "drawers_one_open" ON "drawers" USING btree ("account_id") WHERE "drawers"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "drawers_opened" ON "drawers" USING btree ("opened_at");--> statement-breakpoint
CREATE INDEX "drawers_closed" ON "drawers" USING btree ("closed_at");