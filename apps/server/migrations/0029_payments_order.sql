DROP INDEX "payments_by_state";--> statement-breakpoint
DROP INDEX "payments_by_provider";--> statement-breakpoint
DROP INDEX "payments_by_use";--> statement-breakpoint
DROP INDEX "payments_by_payer";--> statement-breakpoint
DROP INDEX "payments_by_booking";--> statement-breakpoint
CREATE INDEX "payments_by_state" ON "payments" USING btree ("state","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "payments_by_provider" ON "payments" USING btree ("provider","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "payments_by_use" ON "payments" USING btree ("used_for","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "payments_by_payer" ON "payments" USING btree ("payer","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "payments_by_booking" ON "payments" USING btree ("booking","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);