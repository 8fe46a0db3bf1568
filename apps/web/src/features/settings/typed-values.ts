import { unit } from '@hansom/domain/money/amount'
import {
  type SettingField,
  type SettingName,
  type SettingValues,
  settingFields,
} from '@hansom/domain/settings/fields'
import { latinDigits } from '../../ui/latin-digits.ts'

/** The edited fields: typed text, or the state of a switch. */
export type Typed = Partial<Record<SettingName, string | boolean>>

const numbers: readonly SettingField['kind'][] = ['whole', 'distance', 'amount']

/** Whether a field accepts only a number of 0 or more. */
export function isNumberField(name: SettingName): boolean {
  return numbers.includes(settingFields[name].kind)
}

/** A value as its field shows it; amounts in currency units. */
export function typedOf(name: SettingName, value: SettingValues[SettingName]): string | boolean {
  if (typeof value !== 'number') return value ?? ''
  return String(settingFields[name].kind === 'amount' ? value / unit : value)
}

/** The typed text if a number field accepts it (a complete or partial number of 0 or more), otherwise empty. */
export function numberTyped(text: string): string {
  const latin = latinDigits(text)
    .trim()
    .replace(/[,\u066b]/, '.')
  return /^\d*\.?\d*$/.test(latin) ? latin : ''
}

/** The value of a field's text; null for a number field without a number. */
export function valueOf(name: SettingName, typed: string | boolean): SettingValues[SettingName] {
  if (typeof typed === 'boolean' || !isNumberField(name)) return typed as SettingValues[SettingName]
  if (typed === '' || typed === '.') return null
  const value = Number(typed)
  return settingFields[name].kind === 'amount' ? Math.round(value * unit) : value
}

/** The edited values that differ from `before`. */
export function editsOf(typed: Typed, before: SettingValues): Partial<SettingValues> {
  const changed = Object.entries(typed).flatMap(([key, text]) => {
    const name = key as SettingName
    const value = valueOf(name, text)
    return value === before[name] ? [] : [[name, value]]
  })
  return Object.fromEntries(changed) as Partial<SettingValues>
}
