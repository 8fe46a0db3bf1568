import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import classes from './open-objections.module.css'

const freshEveryMs = 30_000

/** Notice about cash payments that wait for an admin's decision; empty if there are none. */
export function OpenObjections() {
  const { t } = useText()
  const open = useQuery({
    ...orpc.bookings.count.queryOptions({ input: { objection: 'open' } }),
    refetchInterval: freshEveryMs,
  })
  const count = open.data?.count ?? 0
  if (count === 0) return null
  return (
    <Notice tone="attention">
      <div className={classes.line}>
        <span>{t('dashboard.objections', { count })}</span>
        <Link to="/disputes" className={buttonClass({ size: 'small' })}>
          {t('dashboard.objections_open')}
        </Link>
      </div>
    </Notice>
  )
}
