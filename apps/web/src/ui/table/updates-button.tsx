import { IconRefresh } from '@tabler/icons-react'
import { useText } from '../../lib/i18n.ts'
import classes from './updates-button.module.css'
import type { PendingChanges } from './pending-changes.ts'

/** Button next to the table's filters with the number of rows others have added or removed; a click shows them. */
export function UpdatesButton({ added, removed, onShow }: PendingChanges & { onShow: () => void }) {
  const { t } = useText()
  return (
    <div className={classes.place} role="status">
      {added + removed > 0 ? (
        <button type="button" className={classes.button} onClick={onShow}>
          <IconRefresh size={16} aria-hidden />
          {added > 0 ? t('table.news_came', { count: added }) : t('table.news_left')}
        </button>
      ) : null}
    </div>
  )
}
