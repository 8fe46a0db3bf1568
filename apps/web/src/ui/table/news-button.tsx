import { IconRefresh } from '@tabler/icons-react'
import { useText } from '../../lib/i18n.ts'
import classes from './news-button.module.css'
import type { Ahead } from './ahead.ts'

/** Button next to the table's filters with the number of rows others have added or removed; a click shows them. */
export function NewsButton({ added, removed, onShow }: Ahead & { onShow: () => void }) {
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
