import { alertPageOf, alertSearchOf } from '@hansom/domain/alerts/alerts'
import type { Role } from '@hansom/domain/users/roles'
import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { AlertBadge, useToDoName } from '../../entities/alerts/alert-badge.tsx'
import type { useAlertCounts } from '../../entities/alerts/use-alert-counts.ts'
import { serverNow } from '../../lib/clock.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import classes from './to-do-list.module.css'

interface Props {
  alerts: ReturnType<typeof useAlertCounts>
  usertype: Role
  /** Called when a link is followed. */
  onFollow: () => void
}

/** What waits for an admin: a row for each kind, with its number and a link to the page where it is settled. */
export function ToDoList({ alerts, usertype, onFollow }: Props) {
  const { t } = useText()
  const toDoName = useToDoName()
  const { timezone } = useSettings()
  const { data, error, isPending, refetch } = alerts
  return (
    <section className={classes.section} aria-labelledby="to-do-title">
      <h3 id="to-do-title" className={classes.heading}>
        {t('alert.title')}
      </h3>
      {isPending ? <LoadingState rows={2} height="48px" /> : null}
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data?.counts.length === 0 ? <p className={classes.none}>{t('alert.none')}</p> : null}
      <ul className={classes.list}>
        {data?.counts.map(({ kind, count }) => {
          const page = alertPageOf(kind, usertype)
          const label = t(`alert.${kind}.label`)
          return (
            <li key={kind}>
              <Link
                to={page.screen}
                search={alertSearchOf(page, serverNow(), timezone)}
                {...(page.hash && { hash: page.hash })}
                className={classes.row}
                aria-label={toDoName(label, count)}
                onClick={onFollow}
              >
                <span className={classes.label}>{label}</span> <AlertBadge count={count} />
                <IconChevronRight size={18} stroke={1.8} className={classes.chevron} aria-hidden />
              </Link>
            </li>
          )
        })}
      </ul>
      <h3 className={classes.heading}>{t('alert.latest')}</h3>
    </section>
  )
}
