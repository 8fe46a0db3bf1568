import type { TableSpec } from '@hansom/contract/tables'
import { useText } from '../../lib/i18n.ts'
import { Menu } from '../menu.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { RowDialog } from './row-dialog.tsx'
import { TableToasts } from './table-toasts.tsx'
import type { DataTableProps } from './table-types.ts'
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
      {dialog?.kind === 'remove' && remove ? (
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
