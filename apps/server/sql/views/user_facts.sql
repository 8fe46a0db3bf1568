-- Owner: users; read by: accounts, app, bookings
-- What the rules of a booking need to know about its rider and its driver. A driver on the map has a known position.
create view user_facts as
  select id, usertype, approved, queue, driver_active_status, first_name, last_name, preferred_name, email, mobile,
      mobile_verified_at, profile_image, wallet_balance, rating_sum, rating_count, signup_via_referral, fleetadmin,
      car_type_id, vehicle_make, vehicle_model, vehicle_number, lat, lng, bearing, located_at, deleted_at,
      usertype = 'driver' and approved and driver_active_status and lat is not null as is_on_map
    from users;
