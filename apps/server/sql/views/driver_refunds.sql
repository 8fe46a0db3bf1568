-- Owner: refunds; read by: earnings
-- Refunds that a driver bears.
create view driver_refunds as
  select id, at, booking, code, driver, amount, reason from refunds where driver is not null and state <> 'failed';
