CREATE TABLE "book_checks" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"edition" integer NOT NULL,
	"seal_number" integer NOT NULL,
	"seal_hash" text NOT NULL,
	"state" jsonb,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "book_checks_kind_known" CHECK ("book_checks"."kind" in ('full', 'daily')),
	CONSTRAINT "book_checks_status_known" CHECK ("book_checks"."status" in ('underway', 'sound', 'wrong')),
	CONSTRAINT "book_checks_state_while_underway" CHECK (("book_checks"."status" = 'underway') = ("book_checks"."state" is not null) and ("book_checks"."state" is null) = ("book_checks"."finished_at" is not null))
);
