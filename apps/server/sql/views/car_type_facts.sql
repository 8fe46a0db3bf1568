-- Owner: car-types; read by: bookings, demo, reports
-- What a booking stores about its car type.
create view car_type_facts as
  select id, name, image,
      jsonb_build_object('base_fare', base_fare, 'rate_per_unit_distance', rate_per_unit_distance,
        'rate_per_hour', rate_per_hour, 'min_fare', min_fare, 'convenience_fees', convenience_fees,
        'convenience_fee_type', convenience_fee_type) as fare_rule,
      cancel_slab, seats, parcel_types, options, archived_at is not null as is_archived
    from car_types;
