import type { AuditEntry } from '@hansom/contract/audit'
import { auditedRoutes, verbOf } from '@hansom/domain/audit/audited-routes'
import { auditValueOf, fieldKeys, fieldLabel } from '@hansom/domain/audit/field-values'
import { kindOfRoute } from '@hansom/domain/audit/record-kinds'
import { unit as moneyUnit } from '@hansom/domain/money/amount'
import { type SettingField, settingFields } from '@hansom/domain/settings/fields'
import { type Weekday, weekdays } from '@hansom/domain/time/weekdays'
import { daysText } from '../../entities/dispatch/days-text.ts'
import { type Format, isolated } from '../../lib/format.ts'
import type { Translate } from '../../lib/i18n.ts'

/** Prefixes of the text keys of a field's values. */
const valueGroups: Readonly<Record<string, string>> = {
  usertype: 'auth.role_',
  cancelledBy: 'auth.role_',
  status: 'history.status_',
  payment_mode: 'exports.pay_',
  source: 'refunds.source_',
  bearer: 'refunds.bearer_',
  direction: 'language.',
  objection: 'audit.objection_',
  reason: 'trip.reason_',
  convenience_fee_type: 'carTypes.fee_',
  promo_discount_type: 'promos.type_',
  strategy: 'settings.choice_',
  // Until rules had a set of days.
  days: 'dispatchRules.days_',
}

export interface AuditWriter {
  /** The action as text. */
  action: (action: string) => string
  /** A field's name, with the unit of its number. */
  field: (kind: AuditEntry['kind'], field: string) => string
  value: (field: string, value: unknown, names: AuditEntry['names']) => string
  /** A change from one value to another, with an arrow in reading direction. */
  change: (was: string, is: string) => string
}

/** Formats audit entries for display; `inMiles` is the city's unit of distances. */
export function auditWriter(t: Translate, format: Format, inMiles: boolean): AuditWriter {
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
      if (given.length === 0) return t('audit.empty_value')
      if (field === 'days' && given.every(isWeekday)) return daysText(given, t, format)
      return format.list(given.map((item) => value(field, item, names)))
    }
    if (isPlace(given)) {
      // Degrees have a point in every language: a comma is between the two.
      const point = isolated(`(${given.lat.toFixed(4)}, ${given.lng.toFixed(4)})`)
      return given.add ? `${isolated(given.add)} ${point}` : point
    }
    if (typeof given === 'object') {
      return format.list(
        Object.entries(given).map(([name, inner]) =>
          t('common.labeled', {
            name: known([`audit.field_${name}`]) ?? fieldLabel(name),
            value: value(name, inner, names),
          }),
        ),
      )
    }
    const text = String(given)
    const group = valueGroups[field.slice(field.indexOf('.') + 1)]
    return names[text] ?? (group ? known([`${group}${text}`]) : null) ?? text
  }
  return {
    action: (action) => known([`audit.verb_${verbOf(action)}`]) ?? fieldLabel(verbOf(action)),
    field: (kind, field) => {
      const label = known(fieldKeys(kind, field)) ?? fieldLabel(field)
      const unitKey = unitKeyOf(kind, field, inMiles)
      return unitKey ? `${label} (${t(unitKey)})` : label
    },
    value,
    change: (was, is) => t('audit.changed', { was, is }),
  }
}

const isWeekday = (given: unknown): given is Weekday => weekdays.includes(given as Weekday)

const isPlace = (given: object | string): given is { lat: number; lng: number; add?: string } =>
  typeof given === 'object' &&
  Number.isFinite(Reflect.get(given, 'lat')) &&
  Number.isFinite(Reflect.get(given, 'lng'))

const fields: Readonly<Record<string, SettingField>> = settingFields

/** The text key of the unit that the record's form shows; amounts of money have theirs in the value. */
function unitKeyOf(kind: AuditEntry['kind'], field: string, inMiles: boolean): string | null {
  const name = kind === 'settings' ? field : kind === 'dispatch_rule' ? `dispatch.${field}` : ''
  const unit = field === 'area_radius' ? 'distance' : fields[name]?.unit
  if (unit === undefined || unit === 'currency') return null
  return `settings.unit_${unit === 'distance' ? (inMiles ? 'mi' : 'km') : unit}`
}

function numberWords(kind: ReturnType<typeof auditValueOf>, value: number, format: Format): string {
  if (kind === 'amount') return isolated(format.money(value))
  if (kind === 'time') return isolated(format.dateTime(value))
  return isolated(kind === 'scaled' ? format.number(value / moneyUnit, 4) : format.number(value, 4))
}

/** All audited actions as filter choices, with the kind of record they change. */
export function actionChoices(t: Translate, { action }: AuditWriter): { value: string; label: string }[] {
  return auditedRoutes.map((route) => {
    const kind = kindOfRoute(route)
    return {
      value: route,
      label: kind
        ? t('common.labeled', { name: t(`audit.kind_${kind}`), value: action(route) })
        : action(route),
    }
  })
}
