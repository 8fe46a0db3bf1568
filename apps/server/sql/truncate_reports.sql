-- Removes all sums when all bookings are truncated.
create or replace function truncate_reports() returns trigger language plpgsql as $$
begin
  truncate report_deltas, report_days, report_drivers;
  return null;
end $$;

create trigger bookings_reported_truncate after truncate on bookings for each statement
  execute function truncate_reports();
