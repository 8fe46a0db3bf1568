-- Functions that apps/server/sql now creates under other names. Their triggers are created with the new functions.
DROP FUNCTION IF EXISTS keep_booking_words() CASCADE;--> statement-breakpoint
DROP FUNCTION IF EXISTS keep_user_words() CASCADE;--> statement-breakpoint
DROP FUNCTION IF EXISTS booking_words(bookings) CASCADE;--> statement-breakpoint
DROP FUNCTION IF EXISTS booking_car_type_is_there() CASCADE;--> statement-breakpoint
DROP FUNCTION IF EXISTS booking_customer_is_there() CASCADE;--> statement-breakpoint
DROP FUNCTION IF EXISTS user_car_type_is_there() CASCADE;--> statement-breakpoint
DROP FUNCTION IF EXISTS promo_is_there() CASCADE;--> statement-breakpoint
DROP FUNCTION IF EXISTS forget_in_audit(uuid, text, int) CASCADE;--> statement-breakpoint
DROP FUNCTION IF EXISTS ledger_account_counted(text) CASCADE;--> statement-breakpoint
DROP FUNCTION IF EXISTS empty_reports() CASCADE;
