import { unit } from '@hansom/domain/money/amount'
import {
  type SettingField,
  settingFields,
  type SettingName,
  type SettingValues,
} from '@hansom/domain/settings/fields'
import { latinDigits } from '../../ui/latin-digits.ts'

/** What stands in the fields: text as it was typed, or whether a switch is on. */
export type Typed = Partial<Record<SettingName, string | boolean>>

const numbers: readonly SettingField['kind'][] = ['whole', 'distance', 'amount']

/** True for fields that take a number of 0 or more and nothing else. */
export function isNumberField(name: SettingName): boolean {
  return numbers.includes(settingFields[name].kind)
}

/** A value as it stands in its field; amounts in currency units. */
export function typedOf(name: SettingName, value: SettingValues[SettingName]): string | boolean {
  if (typeof value !== 'number') return value ?? ''
  return String(settingFields[name].kind === 'amount' ? value / unit : value)
}

/** What a number field keeps of what is typed: a number of 0 or more, still being written or whole; otherwise nothing. */
export function numberTyped(text: string): string {
  const latin = latinDigits(text)
    .trim()
    .replace(/[,\u066b]/, '.')
  return /^\d*\.?\d*$/.test(latin) ? latin : ''
}

/** The value that a field's text stands for; null for a number field without a number. */
export function valueOf(name: SettingName, typed: string | boolean): SettingValues[SettingName] {
  if (typeof typed === 'boolean' || !isNumberField(name)) return typed as SettingValues[SettingName]
  if (typed === '' || typed === '.') return null
  const value = Number(typed)
  return settingFields[name].kind === 'amount' ? Math.round(value * unit) : value
}

/** The values of what was typed, without what is the same as before. */
export function editsOf(typed: Typed, before: SettingValues): Partial<SettingValues> {
  const changed = Object.entries(typed).flatMap(([key, text]) => {
    const name = key as SettingName
    const value = valueOf(name, text)
    return value === before[name] ? [] : [[name, value]]
  })
  return Object.fromEntries(changed) as Partial<SettingValues>
}
