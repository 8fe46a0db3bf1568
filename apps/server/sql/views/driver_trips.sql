-- Owner: bookings; read by: earnings
-- The figures of a booking that its driver's earnings are calculated from.
create view driver_trips as
  select id, booking_id, driver, tripdate, status, pickup ->> 'add' as pickup, drop ->> 'add' as drop, payment_mode,
      trip_cost, convenience_fees, driver_share, cash_answer, cash_payment_amount, outstanding_collected,
      cancellation_fee
    from bookings;
