-- Migration 0042 refused waiting withdrawals that were more than the balance and told no one. Their owners are notified, and
-- the dashboard shows admins how many they were.
WITH refused AS (
  SELECT w.id, w.proces_date AS at FROM withdraws w
    JOIN ledger_entries e ON e.key = 'withdraw:' || w.id || ':done'
    WHERE w.refused AND NOT w.taken_back AND w.reason = 'More than the balance'
      AND e.kind = 'withdraw_refused' AND e.by_user IS NULL AND e.note = w.reason
), told AS (
  INSERT INTO outbox (at, stream, kind, payload)
    SELECT at, 'withdraw:' || id, 'withdraw.refused_by_upgrade', jsonb_build_object('id', id) FROM refused
)
INSERT INTO parked_events (id, at, stream, kind, payload, error, failing_since)
  SELECT nextval(pg_get_serial_sequence('outbox', 'id')), at, 'withdraw:' || id, 'withdraw.refused_by_upgrade',
    jsonb_build_object('id', id),
    'The upgrade refused waiting withdrawals that were more than the balance. The money is back in the wallets and their '
      || 'owners are notified: see Withdrawals, refused for "More than the balance". Retry or Discard clears this note.',
    at
  FROM refused;
