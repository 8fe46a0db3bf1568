import type { RecordField } from './record-field.tsx'
import { type EditRules, unreadable } from './table/edit-value.ts'
/** The values of a form by field, as they are typed. */
export type FormValues = Record<string, unknown>

/** A form's fields with the record that it edits, or the empty one that it adds. */
export interface Edited<Fields extends object> {
  fields: readonly RecordField<Fields>[]
  record: Fields
  rules: EditRules
}

/** The form's values of a record. */
export function startValues<Fields extends object>({ fields, record, rules }: Edited<Fields>): FormValues {
  return Object.fromEntries(fields.map((field) => [field.id, field.start(record, rules)]))
}

/** The record with everything that can be read from the form, and the ids of the fields that cannot. */
export function readForm<Fields extends object>(
  { fields, record, rules }: Edited<Fields>,
  values: FormValues,
): { draft: Fields; invalid: readonly string[] } {
  let draft = record
  const invalid: string[] = []
  for (const field of fields) {
    const read = field.read(values[field.id], record, rules)
    if (read === unreadable) invalid.push(field.id)
    else draft = { ...draft, ...read }
  }
  return { draft, invalid }
}

/** The changes that a value makes, as text that can be compared. */
function meaning<Fields extends object>(
  field: RecordField<Fields>,
  value: unknown,
  { record, rules }: Edited<Fields>,
): string {
  const read = field.read(value, record, rules)
  return read === unreadable ? `unreadable ${JSON.stringify(value)}` : JSON.stringify(read)
}

/** The fields whose value in the form differs from the record. */
export function changedFields<Fields extends object>(
  edited: Edited<Fields>,
  values: FormValues,
): RecordField<Fields>[] {
  const { fields, record, rules } = edited
  return fields.filter(
    (field) =>
      meaning(field, values[field.id], edited) !== meaning(field, field.start(record, rules), edited),
  )
}

/**
 * The fields that were changed both in the form and in `theirs`, to different values. `edited.record` is the record
 * before both changes.
 */
export function clashingFields<Fields extends object>(
  edited: Edited<Fields>,
  values: FormValues,
  theirs: Fields,
): RecordField<Fields>[] {
  const others = startValues({ ...edited, record: theirs })
  const changedByOthers = new Set(changedFields(edited, others))
  return changedFields(edited, values).filter(
    (field) =>
      changedByOthers.has(field) &&
      meaning(field, values[field.id], edited) !== meaning(field, others[field.id], edited),
  )
}
