-- The delivery of a booking with its stops, as in the view delivery_facts; null if the booking is a ride.
create or replace function delivery_of(booking uuid) returns jsonb language plpgsql stable as $$
begin
  return (select delivery from delivery_facts where booking_id = booking);
end $$;
