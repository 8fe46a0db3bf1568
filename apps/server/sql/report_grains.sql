-- The periods a day belongs to: 0 all time, 1 its year, 2 its month.
create or replace function report_grains(day date) returns table (grain smallint, period int) language sql immutable as $$
  select 0::smallint, 0
  union all select 1::smallint, extract(year from day)::int
  union all select 2::smallint, extract(year from day)::int * 100 + extract(month from day)::int
$$;
