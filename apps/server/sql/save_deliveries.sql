-- Inserts deliveries and inserts or updates stops, both given as rows (null for none). An update writes what courier steps
-- and changes of the booking change; recipients and their instructions have commands of their own.
create or replace function save_deliveries(made jsonb, changed jsonb) returns void language plpgsql as $$
begin
  insert into deliveries select * from jsonb_populate_recordset(null::deliveries, coalesce(made, '[]'));
  insert into delivery_stops select * from jsonb_populate_recordset(null::delivery_stops, coalesce(changed, '[]'))
    on conflict (booking_id, n) do update set planned_at = excluded.planned_at, code_tries = excluded.code_tries,
      code_blocked_until = excluded.code_blocked_until, outcome = excluded.outcome, failure = excluded.failure,
      done_at = excluded.done_at, done_location = excluded.done_location, received_by = excluded.received_by,
      scanned = excluded.scanned, unsigned = excluded.unsigned, unseen = excluded.unseen;
end $$;
