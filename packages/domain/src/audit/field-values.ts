import { settingFields } from '../settings/fields.ts'
import { userFields } from '../users/fields.ts'
import type { AuditKind } from './record-kinds.ts'

/** The format of an audited field's value. */
export type AuditValue = 'amount' | 'scaled' | 'time' | 'text'

/** Amounts, besides those declared as fields of users and settings. */
const amounts: readonly string[] = [
  'amount',
  'balance',
  'held',
  'fee',
  'trip_cost',
  'cancellation_fee',
  'base_fare',
  'rate_per_unit_distance',
  'rate_per_hour',
  'min_fare',
  'max_promo_discount_value',
  'min_order',
]
/** An amount or a percentage, depending on another field: both are scaled by 10^4, as percentages of settings are. */
const scaled: readonly string[] = ['convenience_fees', 'promo_discount_value']
/** Times, epoch ms, besides those declared as fields of users. */
const times: readonly string[] = [
  'tripdate',
  'promo_validity',
  'date',
  'procesDate',
  'archived_at',
  'lastSent',
  'at',
  'ended_at',
]
const declared: Readonly<Record<string, { kind: string }>> = { ...settingFields, ...userFields }

export function auditValueOf(field: string): AuditValue {
  const kind = declared[field]?.kind
  if (amounts.includes(field) || kind === 'amount') return 'amount'
  if (scaled.includes(field) || kind === 'percentage') return 'scaled'
  return times.includes(field) || kind === 'time' ? 'time' : 'text'
}

/** Prefixes of the text keys of each kind's field names; the key ends with the field. */
const keyPrefixes: Record<AuditKind, readonly string[]> = {
  user: ['users.', 'exports.'],
  booking: ['exports.', 'wallet.'],
  car_type: ['carTypes.'],
  promo: ['promos.'],
  cancel_reason: ['cancelReasons.'],
  dispatch_rule: ['dispatchRules.', 'settings.field_dispatch_'],
  notification: ['pushNotifications.field_'],
  language: [],
  settings: ['settings.field_'],
  withdraw: ['wallet.'],
  wallet: ['wallet.'],
  refund: ['refunds.'],
  delivery: ['delivery.audit_'],
  safety: [],
  failed_work: ['dashboard.failed_field_'],
}

/** The text keys that may name a record's field, the first choice first. */
export function fieldKeys(kind: AuditKind, field: string): string[] {
  return [...keyPrefixes[kind], 'audit.field_'].map((prefix) => `${prefix}${field.replace('.', '_')}`)
}

/** One line of a change: a field before and after. */
export interface AuditLine {
  field: string
  before: unknown
  after: unknown
}

/** The lines of a change, in the order of the record; ids are left out, they mean nothing to readers. */
export function auditLines(
  before: Readonly<Record<string, unknown>> | null,
  after: Readonly<Record<string, unknown>> | null,
): AuditLine[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return fields
    .filter((field) => field !== 'id' && field !== 'uid')
    .map((field) => ({ field, before: before?.[field] ?? null, after: after?.[field] ?? null }))
    .filter((line) => line.before !== null || line.after !== null)
}

/**
 * A field's name as a readable label, where no language has a text for it: `driverActiveStatus` becomes "Driver active
 * status".
 */
export function fieldLabel(field: string): string {
  const label = field
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_.]+/g, ' ')
    .trim()
    .toLowerCase()
  return label.charAt(0).toUpperCase() + label.slice(1)
}
