-- Some text keys were renamed. Texts that an admin has changed keep their value under the new key.
WITH renames (pattern, replacement) AS (
  VALUES
    ('^people\.no_people_text$', 'users.no_users_text'),
    ('^people\.(?!no_people_text$)', 'users.'),
    ('^outbox\.', 'mailbox.'),
    ('^trip\.office_', 'trip.admin_'),
    ('^trip\.way$', 'trip.route'),
    ('^trip\.way_of$', 'trip.distance_and_time'),
    ('^trip\.told$', 'trip.notified'),
    ('^table\.news_came_', 'table.new_rows_'),
    ('^table\.news_left$', 'table.rows_changed'),
    ('^table\.person_hint$', 'table.user_hint'),
    ('^login\.ways$', 'login.methods'),
    ('^payments\.way_', 'payments.method_'),
    ('^payments\.another_way$', 'payments.another_method'),
    ('^wallet\.(|add_|sums_|this_)person$', 'wallet.\1user')
)
UPDATE languages l SET
  key_value_pairs = coalesce((
    SELECT jsonb_object_agg(coalesce(regexp_replace(p.key, r.pattern, r.replacement), p.key), p.value)
      FROM jsonb_each(l.key_value_pairs) p LEFT JOIN renames r ON p.key ~ r.pattern
  ), '{}'),
  copied = coalesce((
    SELECT jsonb_agg(DISTINCT coalesce(regexp_replace(c.key, r.pattern, r.replacement), c.key))
      FROM jsonb_array_elements_text(l.copied) AS c (key) LEFT JOIN renames r ON c.key ~ r.pattern
  ), '[]'),
  version = l.version + 1
  WHERE EXISTS (
    SELECT 1
      FROM (SELECT jsonb_object_keys(l.key_value_pairs) UNION SELECT jsonb_array_elements_text(l.copied)) AS used (key),
        renames r
      WHERE used.key ~ r.pattern
  );
