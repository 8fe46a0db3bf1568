import type { FieldError } from '@hansom/domain/error-keys'
import type { CellEdit, EditValue } from './table-types.ts'

/**
 * Builds cell edits validated against the entire record, because a value may be invalid only in combination with
 * others. `problemsOf` is the record's validator.
 */
export function checkedEdit<Row extends object>(problemsOf: (row: Row) => readonly FieldError[]) {
  return (
    kind: CellEdit<Row>['kind'],
    field: keyof Row & string,
    more: Partial<CellEdit<Row>> = {},
  ): CellEdit<Row> => {
    const changes = more.changes ?? ((value: EditValue) => ({ [field]: value }) as Partial<Row>)
    return {
      kind,
      value: (row) => row[field] as EditValue,
      ...more,
      changes,
      validate: (value, row) => {
        const problems = problemsOf({ ...row, ...changes(value, row) })
        return problems.find((one) => one.field === field)?.error ?? null
      },
    }
  }
}
