/**
 * Files whose raw SQL still names tables of another feature, and those tables. The list only shrinks: `npm run check`
 * fails on an entry that is no longer needed, and on a file that is not listed. Do not add to it: call the service of the
 * feature that owns the table, or read a declared read view (apps/server/sql/views).
 * @type {import('./check-sql.mjs').ForeignSql}
 */
export const foreignSql = {
  app: {
    'demo-clock.ts': 'booking_events ledger_entries users',
    'seed.ts': 'users',
  },
  accounts: {
    'accounts/find-session.ts': 'users',
    'accounts/normalise-phones.ts': 'users',
    'accounts/sessions.ts': 'users',
  },
  bookings: {
    'bookings/dispatch/find-candidates.ts': 'users',
    'bookings/live/fleet.ts': 'car_types',
    'bookings/reactions.ts': 'auth_users ledger_entries users',
    'bookings/store/load-facts.ts': 'car_types promos user_notifications users',
    'bookings/store/read-bookings.ts': 'dues user_notifications users',
    'bookings/tracking/driver-contacts.ts': 'users',
    'bookings/tracking/index-drivers.ts': 'users',
    'bookings/tracking/position-writes.ts': 'users',
    'bookings/tracking/service.ts': 'dues ledger_entries ledger_legs refunds users',
  },
  demo: {
    'demo/remove-demo.ts':
      'auth_attempts auth_uploads auth_verifications booking_events bookings cancel_reasons_order ledger_checks ledger_entries ledger_sums notification_keys payment_message_keys payment_messages push_notifications setup tracking user_notifications users',
    'demo/write-history.ts': 'promos user_ratings users',
  },
  'large-city': {
    'large-city/fill-bookings.ts': 'bookings car_types users',
    'large-city/fill-city.ts': 'booking_search bookings car_types',
    'large-city/fill-people.ts': 'car_types ledger_entries ledger_legs users',
  },
  reports: {
    'reports/store/driver-rows.ts': 'user_search users',
    'reports/store/read-dashboard.ts': 'bookings',
    'reports/store/read-driver-earnings.ts': 'users',
    'reports/store/recount.ts': 'bookings',
  },
  users: {
    'users/admin/remove-person.ts': 'auth_verifications payments',
    'users/admin/can-view-photo.ts': 'bookings',
    'users/admin/erase-account.ts':
      'booking_events bookings cancel_reasons cash_receipts payment_messages payments refunds tracking trip_lines withdraws',
    'users/admin/own-data.ts': 'auth_accounts auth_sessions',
    'users/admin/pending-obligations.ts': 'bookings payments refunds withdraws',
  },
}
