import type { TableSpec } from '@hansom/contract/tables'
import type { FieldError } from '@hansom/domain/error-keys'
import { useText } from '../../lib/i18n.ts'
import { Menu } from '../menu.tsx'
import { RecordDialog } from '../record-dialog.tsx'
import { fieldOf } from '../record-field.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { editable } from './table-row.tsx'
import { TableToasts } from './table-toasts.tsx'
import type { DataTableProps, TableColumn } from './table-types.ts'
import type { DataTableState } from './use-data-table.tsx'

interface Props<Row extends object, O extends TableSpec> {
  props: DataTableProps<Row, O>
  table: DataTableState<Row, O>
}

/** What opens on top of a table: the row menu, the dialogs of a record, conflicts, refusals and toasts. */
export function TableDialogs<Row extends object, O extends TableSpec>({ props, table }: Props<Row, O>) {
  const { t } = useText()
  const { name, rowId, rowName, columns, create, save, remove, editDialog } = props
  const { dialog, menu, edits, removal } = table
  const close = () => table.setDialog(null)
  return (
    <>
      {menu ? (
        <Menu
          anchor={menu.anchor}
          label={t('table.actions_of', { name: rowName(menu.row) })}
          items={table.itemsOf(menu.row)}
          onClose={() => table.setMenu(null)}
        />
      ) : null}
      {dialog?.kind === 'create' ? create?.dialog({ onClose: close, onCreated: table.created }) : null}
      {dialog?.kind === 'edit' && editDialog
        ? editDialog({ row: dialog.row, onClose: close, onSaved: table.saved })
        : null}
      {dialog?.kind === 'edit' && !editDialog && save ? (
        <RowDialog
          id={`${name} ${rowId(dialog.row)}`}
          row={dialog.row}
          name={rowName(dialog.row)}
          columns={columns}
          save={save}
          onClose={close}
          onSaved={table.edited}
        />
      ) : null}
      {dialog?.kind === 'remove' && remove?.dialog
        ? remove.dialog({ row: dialog.row, onClose: close, onRemoved: () => table.removed(dialog.row) })
        : null}
      {dialog?.kind === 'remove' && remove && !remove.dialog ? (
        <RemoveDialog
          name={remove.name(dialog.row)}
          onClose={close}
          onConfirm={async () => {
            await remove.call(dialog.row)
            table.removed(dialog.row)
          }}
        />
      ) : null}
      <ConflictDialog
        conflict={edits.conflict}
        columns={columns}
        rowName={rowName}
        onKeepMine={edits.keepMine}
        onTakeTheirs={edits.takeTheirs}
      />
      {table.refused}
      <TableToasts
        undoable={
          removal.last && remove
            ? { message: t('table.removed', { name: remove.name(removal.last) }), undo: removal.undo }
            : table.undoToast.current
        }
        failure={table.failure}
        onDismiss={() => table.setFailure(null)}
      />
    </>
  )
}

interface RowDialogProps<Row> {
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
export function RowDialog<Row extends object>(props: RowDialogProps<Row>) {
  const { id, row, name, save, onClose, onSaved } = props
  const { t } = useText()
  const columns = props.columns.filter((column) => editable(column, row))
  return (
    <RecordDialog<Row, Row, [Row, Row, Partial<Row>]>
      title={<bdi>{name}</bdi>}
      name={name}
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
