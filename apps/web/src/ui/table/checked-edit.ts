import type { CellEdit, EditValue } from './table-types.ts'

/** A problem with one field of a record. */
export interface RecordProblem {
  field: string
  /** Text key after `error.field_`. */
  error: string
}

/**
 * Builds cell edits validated against the entire record, because a value may be invalid only in combination with
 * others. `problemsOf` is the record's validator.
 */
export function checkedEdit<Row extends object>(problemsOf: (row: Row) => readonly RecordProblem[]) {
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
        const problem = problemsOf({ ...row, ...changes(value, row) }).find((one) => one.field === field)
        return problem ? `field_${problem.error}` : null
      },
    }
  }
}
