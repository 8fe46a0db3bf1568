-- A rider's trips that are unpaid or contested, as JSON rows by closing time. A statement calls it only for a rider who has one,
-- because PostgreSQL prepares every part of a statement, also those that find nothing.
create or replace function owed_trips(rider uuid) returns jsonb language plpgsql stable as $$
begin
  return (select coalesce(jsonb_agg(to_jsonb(p) order by p.closed_at, p.id), '[]') from (
    select * from bookings where customer = rider and status = 'PENDING'
    union all select * from bookings where customer = rider and objection = 'open' and status <> 'PENDING') p);
end $$;
