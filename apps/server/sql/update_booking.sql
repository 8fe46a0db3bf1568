-- Writes the changed columns of a booking that still has the version that was read; returns the number of updated rows.
-- The statement names every column, so PostgreSQL plans it once: a statement built for each change costs 0.15 to 0.2 ms of
-- planning. The names are read from the table when this file is applied, which happens after every migration.
do $apply$
declare
  targets text;
  sources text;
begin
  select string_agg(quote_ident(attname), ', ' order by attnum),
      string_agg('r.' || quote_ident(attname), ', ' order by attnum)
    into targets, sources
    from pg_attribute
    where attrelid = 'bookings'::regclass and attnum > 0 and not attisdropped and attname not in ('id', 'version');
  execute format($create$
    create or replace function update_booking(booking uuid, read_version int, changes jsonb) returns int
      language plpgsql as $$
    declare
      hits int;
    begin
      update bookings b set (version, %s) = (
        select b.version + 1, %s from jsonb_populate_record(b, changes) r)
      where b.id = booking and b.version = read_version;
      get diagnostics hits = row_count;
      return hits;
    end $$
  $create$, targets, sources);
end $apply$;
