-- The calendar day of an instant in a time zone.
create or replace function report_day(moment bigint, zone text) returns date language sql stable as
  $$ select (to_timestamp(moment / 1000.0) at time zone zone)::date $$;
