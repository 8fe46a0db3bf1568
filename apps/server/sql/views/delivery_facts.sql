-- Owner: deliveries; read by: bookings
-- The delivery of a booking with its stops, as the domain's `Delivery`, and the number of its drops.
create view delivery_facts as
  select d.booking_id,
      to_jsonb(d) - 'booking_id' - 'cleared_at' || jsonb_build_object('stops', (
        select coalesce(jsonb_agg(to_jsonb(s) - 'booking_id' || jsonb_build_object(
            'photo', (select p.at from delivery_proofs p
              where p.booking_id = s.booking_id and p.n = s.n and p.kind = 'photo'),
            'signature', (select p.at from delivery_proofs p
              where p.booking_id = s.booking_id and p.n = s.n and p.kind = 'signature')) order by s.n), '[]')
        from delivery_stops s where s.booking_id = d.booking_id)) as delivery,
      (select count(*)::int from delivery_stops s where s.booking_id = d.booking_id and s.kind = 'drop') as drops
    from deliveries d;
