import { IconColumns3 } from '@tabler/icons-react'
import { useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../button.tsx'
import { Popover } from '../popover.tsx'
import popover from '../popover.module.css'
import type { TableColumn } from './table-types.ts'
import classes from './toolbar.module.css'

interface Props<Row> {
  columns: readonly TableColumn<Row>[]
  shown: Readonly<Record<string, boolean>>
  onChange: (shown: Record<string, boolean>) => void
}

/** Menu to show and hide columns. */
export function ColumnMenu<Row>({ columns, shown, onChange }: Props<Row>) {
  const { t } = useText()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const choosable = columns.filter((column, at) => at > 0 && column.hideable !== false)
  if (choosable.length === 0) return null
  const isShown = (column: TableColumn<Row>) => shown[column.id] ?? !column.hidden
  const toggle = (column: TableColumn<Row>, on: boolean) => {
    const rest = Object.fromEntries(Object.entries(shown).filter(([id]) => id !== column.id))
    onChange(on === !column.hidden ? rest : { ...rest, [column.id]: on })
  }
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      >
        <IconColumns3 size={17} aria-hidden />
        <span className={classes.toolWords}>{t('table.columns')}</span>
      </Button>
      {anchor ? (
        <Popover anchor={anchor} label={t('table.columns')} onClose={() => setAnchor(null)}>
          {choosable.map((column) => (
            <label key={column.id} className={popover.item}>
              <input
                type="checkbox"
                className={classes.check}
                checked={isShown(column)}
                onChange={(event) => toggle(column, event.target.checked)}
              />
              {t(column.header)}
            </label>
          ))}
        </Popover>
      ) : null}
    </>
  )
}
