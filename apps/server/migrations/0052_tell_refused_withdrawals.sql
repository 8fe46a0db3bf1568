-- Migration 0042 refused waiting withdrawals that were more than the balance and told no one: their owners and the admins are
-- notified of each.
INSERT INTO outbox (at, stream, kind, payload)
  SELECT w.proces_date, 'withdraw:' || w.id, 'withdraw.refused_by_upgrade', jsonb_build_object('id', w.id) FROM withdraws w
    JOIN ledger_entries e ON e.key = 'withdraw:' || w.id || ':done'
    WHERE w.refused AND NOT w.taken_back AND w.reason = 'More than the balance'
      AND e.kind = 'withdraw_refused' AND e.by_user IS NULL AND e.note = w.reason;
