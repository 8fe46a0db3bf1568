/** What the audit log knows changes of. */
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
] as const
export type AuditKind = (typeof auditKinds)[number]
