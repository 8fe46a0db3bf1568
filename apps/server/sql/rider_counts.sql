-- Counts a rider's own open bookings, those that are searching for a driver (later trips up to the tripdate `due`), and the
-- bookings that used or reserved a promo.
create or replace function rider_counts(rider uuid, due bigint, promo uuid) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'now', count(*) filter (where not book_later),
    'later', count(*) filter (where book_later),
    'searching', count(*) filter (where status = 'NEW' and (not book_later or tripdate <= due)),
    'promo_uses', case when promo is null then 0 else
      (select count(*) from bookings b where b.customer = rider and b.promo_id = promo and b.status <> 'CANCELLED') end)
  from bookings
  where customer = rider and not booking_type_admin
    and status in ('PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED')
$$;
