-- Runs save_operation once for each booking that ends.
create or replace function record_operation() returns trigger language plpgsql as $$
begin
  perform save_operation(new);
  return null;
end $$;

create trigger bookings_operation_insert after insert on bookings for each row
  when (new.status in ('PENDING', 'PAID', 'COMPLETE', 'CANCELLED')) execute function record_operation();

create trigger bookings_operation_update after update of status on bookings for each row
  when (old.status not in ('PENDING', 'PAID', 'COMPLETE', 'CANCELLED')
    and new.status in ('PENDING', 'PAID', 'COMPLETE', 'CANCELLED'))
  execute function record_operation();
