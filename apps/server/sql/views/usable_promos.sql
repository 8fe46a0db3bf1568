-- Owner: promos; read by: bookings
create view usable_promos as
  select id, promo_name, promo_discount_type, promo_discount_value, max_promo_discount_value, min_order,
      promo_validity, promo_usage_limit, user_avail
    from promos where archived_at is null;
