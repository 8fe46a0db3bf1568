-- Owner: wallet; read by: earnings, refunds
-- The part of a booking's cancellation fee that the rider has not paid (open) or that an admin has waived.
create view booking_dues as select booking_id as booking, open, waived from dues;
