-- Raises the error of a decision whose facts have changed; see apply_booking_decision.
create or replace function lost_race(code text) returns void language plpgsql as $$
begin
  raise exception 'the facts of the decision have changed' using errcode = code;
end $$;
