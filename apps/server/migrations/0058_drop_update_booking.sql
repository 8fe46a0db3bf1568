-- The update of a booking is now part of apply_booking_decision.
DROP FUNCTION IF EXISTS update_booking(uuid, int, jsonb);
