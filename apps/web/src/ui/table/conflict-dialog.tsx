import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { DialogButtons } from '../dialog-buttons.tsx'
import classes from './dialogs.module.css'
import type { TableColumn } from './table-types.ts'
import type { Conflict } from './use-edits.ts'

interface Props<Row> {
  conflict: Conflict<Row> | null
  columns: readonly TableColumn<Row>[]
  rowName: (row: Row) => string
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/** Shows the fields of a row that two users changed, side by side. */
export function ConflictDialog<Row>({ conflict, columns, rowName, onKeepMine, onTakeTheirs }: Props<Row>) {
  const { t } = useText()
  if (!conflict) return null
  const { seen, mine, theirs, by } = conflict
  const wanted = { ...theirs, ...mine }
  const differing = columns.filter(
    ({ edit }) =>
      edit && edit.value(wanted) !== edit.value(theirs) && edit.value(seen) !== edit.value(theirs),
  )
  return (
    <Dialog
      open
      onClose={onTakeTheirs}
      role="alertdialog"
      title={t('table.conflict_title')}
      width={640}
      hideClose
      footer={
        <DialogButtons>
          <Button onClick={onTakeTheirs}>{t('table.take_theirs')}</Button>
          <Button variant="primary" onClick={onKeepMine}>
            {t('table.keep_mine')}
          </Button>
        </DialogButtons>
      }
    >
      <p className={classes.lead}>
        <bdi>{rowName(theirs)}</bdi>:{' '}
        {by === null ? t('table.conflict_same') : t('table.conflict_by', { name: isolated(by) })}
      </p>
      <table className={classes.sides}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('table.yours')}</th>
            <th scope="col">{t('table.theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {differing.map((column) => (
            <tr key={column.id}>
              <th scope="row">{t(column.header)}</th>
              <td>{column.cell(wanted)}</td>
              <td>{column.cell(theirs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
