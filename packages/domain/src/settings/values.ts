import { type SettingName, type SettingValues, settingNames } from './fields.ts'
import type { Settings } from './settings.ts'

const group = 'dispatch.'

/** The values of the setting fields. */
export function valuesOf(settings: Settings): SettingValues {
  const read = (name: SettingName): unknown =>
    name.startsWith(group)
      ? settings.dispatch[name.slice(group.length) as keyof Settings['dispatch']]
      : settings[name as keyof Settings]
  return Object.fromEntries(settingNames.map((name) => [name, read(name)])) as SettingValues
}

/** The settings changed by some checked values; groups are completed from `settings`. */
export function changesOf(settings: Settings, values: Partial<SettingValues>): Partial<Settings> {
  const plain: Record<string, unknown> = {}
  const dispatch: Settings['dispatch'] & Record<string, unknown> = { ...settings.dispatch }
  let isDispatchChanged = false
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    if (name.startsWith(group)) {
      dispatch[name.slice(group.length)] = value
      isDispatchChanged = true
    } else plain[name] = value
  }
  return { ...plain, ...(isDispatchChanged ? { dispatch } : {}) } as Partial<Settings>
}

/** A field that two people changed: its value before, the value I typed, the value the other one saved. */
export interface FieldConflict<Name extends string> {
  name: Name
  mine: unknown
  theirs: unknown
}

/**
 * Compares my edit of one state (`before`) with the state that someone else has saved since (`after`). Fields that only
 * one of us changed are no conflict, nor are fields with the same new value.
 */
export function conflictsOf<Values extends object>(
  before: Values,
  edits: Partial<Values>,
  after: Values,
): FieldConflict<keyof Values & string>[] {
  return (Object.keys(edits) as (keyof Values & string)[]).flatMap((name) => {
    const theirs = after[name]
    if (theirs === before[name] || theirs === edits[name]) return []
    return [{ name, mine: edits[name], theirs }]
  })
}
