import { useText } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import classes from './conflict-notice.module.css'
import { Notice } from './notice.tsx'

interface Difference {
  label: string
  mine: string
  theirs: string
}

interface Props {
  name: string
  differences: readonly Difference[]
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/** Shown in a form when someone else changed the record meanwhile: both versions, and a choice between them. */
export function ConflictNotice({ name, differences, onKeepMine, onTakeTheirs }: Props) {
  const { t } = useText()
  return (
    <Notice tone="bad">
      <p className={classes.lead}>{t('table.conflict_text', { name })}</p>
      {differences.length > 0 ? (
        <table className={classes.sides}>
          <thead>
            <tr>
              <td />
              <th scope="col">{t('table.yours')}</th>
              <th scope="col">{t('table.theirs')}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ label, mine, theirs }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>
                  <bdi>{mine}</bdi>
                </td>
                <td>
                  <bdi>{theirs}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
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
