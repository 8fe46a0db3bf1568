-- Owner: bookings; read by: alerts, earnings, reports
-- The figures of a booking that earnings and reports are calculated from.
create view trip_figures as
  select id, booking_id, driver, fleetadmin, tripdate, status, pickup ->> 'add' as pickup, drop ->> 'add' as drop,
      payment_mode, trip_cost, convenience_fees, discount_amount, driver_share, cash_answer, cash_payment_amount,
      outstanding_collected, cancellation_fee
    from bookings;
