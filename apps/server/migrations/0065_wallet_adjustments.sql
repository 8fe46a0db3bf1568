CREATE TABLE "wallet_adjustments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"uid" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"at" bigint NOT NULL,
	"by_user" uuid NOT NULL,
	"reason" text NOT NULL,
	"reversed_at" bigint,
	"reversed_by" uuid,
	"reversal_reason" text,
	CONSTRAINT "wallet_adjustments_amount" CHECK ("wallet_adjustments"."amount" <> 0)
);
--> statement-breakpoint
ALTER TABLE "wallet_adjustments" ADD CONSTRAINT "wallet_adjustments_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "wallet_adjustments_uid" ON "wallet_adjustments" USING btree ("uid","id" DESC NULLS LAST);
--> statement-breakpoint
-- Credits by admins of earlier releases.
INSERT INTO wallet_adjustments (id, uid, amount, currency, at, by_user, reason)
SELECT substring(e.key from 8)::uuid, l.user_id, l.amount, e.currency, e.at, e.by_user, coalesce(e.note, '')
  FROM ledger_entries e JOIN ledger_legs l ON l.entry_id = e.id AND l.user_id IS NOT NULL
 WHERE e.kind = 'admin_credit' AND e.by_user IS NOT NULL
   AND e.key ~ '^credit:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
