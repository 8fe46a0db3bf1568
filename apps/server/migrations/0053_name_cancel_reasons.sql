-- The words of a driver's reasons are read on the trip's page too, and are among its texts now. What an office has written
-- for them goes along; its own words for "rider no show" stay those of the trip where both are there.
WITH renamed (old, new) AS (
  SELECT 'driver.reason_' || word, 'trip.reason_' || word
    FROM unnest(ARRAY['rider_no_show', 'car_trouble', 'traffic', 'wrong_pickup', 'personal']) AS word
)
UPDATE languages l SET
  key_value_pairs = coalesce((
    SELECT jsonb_object_agg(coalesce(r.new, p.key), p.value ORDER BY r.new NULLS LAST)
      FROM jsonb_each(l.key_value_pairs) p LEFT JOIN renamed r ON r.old = p.key
  ), '{}'),
  copied = coalesce((
    SELECT jsonb_agg(DISTINCT coalesce(r.new, c.key))
      FROM jsonb_array_elements_text(l.copied) AS c (key) LEFT JOIN renamed r ON r.old = c.key
  ), '[]'),
  version = l.version + 1
  WHERE EXISTS (
    SELECT 1 FROM renamed r WHERE l.key_value_pairs ? r.old OR l.copied ? r.old
  );
