/** The kinds of records in the audit log. */
export const auditKinds = [
  'user',
  'booking',
  'car_type',
  'promo',
  'cancel_reason',
  'notification',
  'language',
  'settings',
  'withdraw',
  'wallet',
  'refund',
  'failed_work',
] as const
export type AuditKind = (typeof auditKinds)[number]
