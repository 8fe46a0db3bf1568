import type { AuditEntry } from '@hansom/contract/audit'
import { auditedRoutes, verbOf } from '@hansom/domain/audit/audited-routes'
import { auditValueOf, fieldLabel } from '@hansom/domain/audit/field-values'
import { unit } from '@hansom/domain/money/amount'
import { type Format, isolated } from '../../lib/format.ts'
import type { Translate } from '../../lib/i18n.ts'

type Kind = AuditEntry['kind']

/** Prefixes of the text keys of each kind's field names; the key ends with the field. */
const fieldGroups: Record<Kind, readonly string[]> = {
  user: ['users.', 'exports.'],
  booking: ['exports.', 'wallet.'],
  car_type: ['carTypes.', 'carTypes.field_'],
  promo: ['promos.', 'promos.field_'],
  cancel_reason: ['cancelReasons.', 'cancelReasons.field_'],
  notification: ['pushNotifications.field_'],
  language: ['languages.', 'languages.field_'],
  settings: ['settings.field_'],
  withdraw: ['wallet.'],
  wallet: ['wallet.'],
  refund: ['refunds.'],
  failed_work: ['dashboard.failed_field_'],
}

/** Prefixes of the text keys of a field's values. */
const valueGroups: Readonly<Record<string, string>> = {
  usertype: 'auth.role_',
  cancelledBy: 'auth.role_',
  status: 'history.status_',
  payment_mode: 'exports.pay_',
  source: 'refunds.source_',
  bearer: 'refunds.bearer_',
}

export interface AuditWriter {
  /** The action as text. */
  action: (action: string) => string
  field: (kind: Kind, field: string) => string
  value: (field: string, value: unknown, names: AuditEntry['names']) => string
  /** A change from one value to another, with an arrow in reading direction. */
  change: (was: string, is: string) => string
}

/** Formats audit entries for display. */
export function auditWriter(t: Translate, format: Format): AuditWriter {
  const known = (keys: readonly string[]) => {
    for (const key of keys) {
      const text = t(key)
      if (text !== key) return text
    }
    return null
  }
  const value: AuditWriter['value'] = (field, given, names) => {
    if (given === null || given === undefined || given === '') return t('audit.empty_value')
    if (typeof given === 'boolean') return t(`table.flag_${given}`)
    if (typeof given === 'number') return numberWords(auditValueOf(field), given, format)
    if (Array.isArray(given)) {
      return given.length === 0
        ? t('audit.empty_value')
        : given.map((item) => value(field, item, names)).join(' · ')
    }
    if (typeof given === 'object') {
      return Object.entries(given)
        .map(([name, inner]) => `${fieldWords(name, [])}: ${value(name, inner, names)}`)
        .join(', ')
    }
    const text = String(given)
    const group = valueGroups[field]
    return names[text] ?? (group ? known([`${group}${text}`]) : null) ?? text
  }
  const fieldWords = (field: string, groups: readonly string[]) =>
    known(groups.map((group) => `${group}${field}`)) ?? fieldLabel(field)
  return {
    action: (action) => known([`audit.verb_${verbOf(action)}`]) ?? fieldLabel(verbOf(action)),
    field: (kind, field) => fieldWords(field, ['audit.field_', ...fieldGroups[kind]]),
    value,
    change: (was, is) => t('audit.changed', { was, is }),
  }
}

function numberWords(kind: ReturnType<typeof auditValueOf>, value: number, format: Format): string {
  if (kind === 'amount') return isolated(format.money(value))
  if (kind === 'time') return isolated(format.dateTime(value))
  return isolated(kind === 'scaled' ? format.number(value / unit, 4) : format.number(value, 4))
}

const kindOfNoun: Readonly<Record<string, Kind>> = {
  users: 'user',
  setup: 'user',
  bookings: 'booking',
  carTypes: 'car_type',
  promos: 'promo',
  cancelReasons: 'cancel_reason',
  pushNotifications: 'notification',
  languages: 'language',
  settings: 'settings',
  withdraws: 'withdraw',
  refunds: 'refund',
  wallet: 'wallet',
  failedWork: 'failed_work',
}

/** All audited actions as filter choices, with the kind of record they change. */
export function actionChoices(t: Translate, { action }: AuditWriter): { value: string; label: string }[] {
  return auditedRoutes.map((route) => {
    const kind = kindOfNoun[route.slice(0, route.indexOf('.'))]
    return { value: route, label: kind ? `${t(`audit.kind_${kind}`)}: ${action(route)}` : action(route) }
  })
}
