-- Counts the drivers who were asked for a booking, before the answers delete the requests.
create or replace function count_offers() returns trigger language plpgsql as $$
begin
  insert into report_operations (booking_id, offers) select booking_id, count(*) from new_requests group by booking_id
    on conflict (booking_id) do update set offers = report_operations.offers + excluded.offers;
  return null;
end $$;

create trigger booking_requests_counted after insert on booking_requests referencing new table as new_requests
  for each statement execute function count_offers();
