/**
 * Files that import the table.ts of another feature for drizzle queries, and those features. The list only shrinks:
 * `npm run check` fails on an entry that is no longer needed, and on a file that is not listed. Do not add to it: call the
 * service of the feature that owns the table, or read a declared read view (apps/server/sql/views).
 * @type {import('./check-sql.mjs').ForeignTables}
 */
export const foreignTables = {
  'features/accounts/contact-changes.ts': 'users',
  'features/accounts/create-account.ts': 'users',
  'features/accounts/credentials.ts': 'users',
  'features/accounts/mails.ts': 'users',
  'features/accounts/normalise-phones.ts': 'users',
  'features/accounts/passwords.ts': 'users',
  'features/accounts/setup.ts': 'users',
  'features/accounts/sign-in-by-phone.ts': 'users',
  'features/accounts/sign-in-eligibility.ts': 'users',
  'features/accounts/sign-up.ts': 'car-types users',
  'features/integrations/service.ts': 'users',
  'features/push-notifications/send.ts': 'users',
  'features/refunds/import-external-refunds.ts': 'payments',
  'features/refunds/process-refund.ts': 'payments',
  'features/refunds/record-external-refund.ts': 'payments',
  'features/refunds/store.ts': 'payments',
  'features/users/admin/read-users.ts': 'accounts car-types',
  'features/users/views.ts': 'car-types',
}
