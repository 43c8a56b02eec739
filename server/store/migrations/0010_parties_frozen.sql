CREATE TABLE "lenders" (
	"hash" text PRIMARY KEY NOT NULL,
	"facts" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "loan_borrowers" (
	"loan_id" bigint NOT NULL,
	"version" integer NOT NULL,
	"full_name" text NOT NULL,
	"phone" text NOT NULL,
	"email" text,
	"address" text,
	"salt" text NOT NULL,
	CONSTRAINT "loan_borrowers_pk" PRIMARY KEY("loan_id","version")
);
--> statement-breakpoint
ALTER TABLE "loan_terms" ADD COLUMN "agreement" jsonb;--> statement-breakpoint
ALTER TABLE "loan_terms" ADD COLUMN "agreement_hash" text;--> statement-breakpoint
ALTER TABLE "loan_borrowers" ADD CONSTRAINT "loan_borrowers_terms_fk" FOREIGN KEY ("loan_id","version") REFERENCES "public"."loan_terms"("loan_id","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "loan_terms" ADD CONSTRAINT "loan_terms_agreement_hashed" CHECK (("loan_terms"."agreement" is null) = ("loan_terms"."agreement_hash" is null));
--> statement-breakpoint
-- What a contract names as its lender is evidence, like its figures.
CREATE TRIGGER lenders_append_only BEFORE UPDATE OR DELETE ON lenders FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER lenders_no_truncate BEFORE TRUNCATE ON lenders FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
