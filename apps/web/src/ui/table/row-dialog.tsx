import type { FieldError } from '@hansom/domain/error-keys'
import { useText } from '../../lib/i18n.ts'
import { RecordDialog } from '../record-dialog.tsx'
import { fieldOf } from '../record-field.tsx'
import { editable } from './table-row.tsx'
import type { TableColumn } from './table-types.ts'

interface Props<Row> {
  id: string
  row: Row
  name: string
  columns: readonly TableColumn<Row>[]
  save: (row: Row, changes: Partial<Row>) => Promise<Row>
  onClose: () => void
  /** Receives the row before and after the changes. */
  onSaved: (row: Row, before: Row, changes: Partial<Row>) => void
}

/** All editable fields of a row in one dialog: used on phones, and as an alternative to editing cells. */
export function RowDialog<Row extends object>(props: Props<Row>) {
  const { id, row, name, save, onClose, onSaved } = props
  const { t } = useText()
  const columns = props.columns.filter((column) => editable(column, row))
  return (
    <RecordDialog<Row, Row, [Row, Row, Partial<Row>]>
      title={<bdi>{name}</bdi>}
      action={t('table.save')}
      width={520}
      command={`row ${id}`}
      record={row}
      blank={row}
      fields={columns.map((column) => fieldOf(column))}
      check={(draft) => columns.flatMap((column) => problemOf(column, draft, row))}
      save={async ({ changes, record }) => {
        const before = record ?? row
        return [await save(before, changes), before, changes]
      }}
      onClose={onClose}
      onSaved={(answer) => onSaved(...answer)}
    />
  )
}

/** The problem of a changed value: an old one that is no longer valid does not prevent other changes. */
function problemOf<Row>({ id, edit }: TableColumn<Row>, draft: Row, row: Row): FieldError[] {
  const value = edit?.value(draft)
  if (!edit || value === undefined || value === edit.value(row)) return []
  const error = edit.validate?.(value, row)
  return error ? [{ field: id, error }] : []
}
