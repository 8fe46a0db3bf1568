import type { CellEdit, EditValue } from './table-types.ts'

/** What a rule for a whole record finds wrong in one of its fields. */
export interface RecordProblem {
  field: string
  /** Key after `error.field_`. */
  error: string
}

/**
 * Makes cells that are checked by the rule for the whole record: a value may be wrong only beside the others.
 * `problemsOf` is that rule.
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
