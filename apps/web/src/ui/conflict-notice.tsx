import type { ReactNode } from 'react'
import { isolated } from '../lib/format.ts'
import { useText } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import classes from './conflict-notice.module.css'
import { Notice } from './notice.tsx'

interface Props {
  /** The name of the person who made the other change, if known. */
  by: string | null
  /** The fields that both changed, with both values. */
  differences: readonly { id: string; label: string; mine: ReactNode; theirs: ReactNode }[]
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/** Shown in a form when someone else changed the same fields meanwhile: both values, and a choice between them. */
export function ConflictNotice({ by, differences, onKeepMine, onTakeTheirs }: Props) {
  const { t } = useText()
  return (
    <Notice tone="bad">
      <p className={classes.lead}>
        {by ? t('table.conflict_by', { name: isolated(by) }) : t('table.conflict_same')}
      </p>
      <table className={classes.sides}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('table.yours')}</th>
            <th scope="col">{by ? isolated(by) : t('table.theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ id, label, mine, theirs }) => (
            <tr key={id}>
              <th scope="row">{label}</th>
              <td>{mine}</td>
              <td>{theirs}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={classes.buttons}>
        <Button size="small" onClick={onTakeTheirs}>
          {t('table.take_theirs')}
        </Button>
        <Button size="small" variant="primary" onClick={onKeepMine}>
          {t('table.keep_mine')}
        </Button>
      </div>
    </Notice>
  )
}
