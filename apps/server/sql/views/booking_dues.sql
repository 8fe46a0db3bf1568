-- Owner: wallet; read by: bookings, earnings, ledger-check, refunds, reports
-- What a driver is owed for a booking: the part that the rider has not paid (open), and the part an admin waived.
create view booking_dues as select booking_id as booking, rider, at, open, waived from dues;
