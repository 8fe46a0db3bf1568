import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useSearchParams } from '../../lib/search-params.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { Notice } from '../../ui/notice.tsx'
import { PageHead, pageFrame } from '../../ui/page-head.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { AlarmCard } from './alarm-card.tsx'
import classes from './safety-screen.module.css'

/** Open alarms with everything that is needed to help, and those that were closed last. The shell follows the alarms live. */
export function SafetyScreen() {
  const { t } = useText()
  const [search] = useSearchParams()
  const open = useQuery(orpc.safety.list.queryOptions({ input: { state: 'open' } }))
  const closed = useQuery(orpc.safety.list.queryOptions({ input: { state: 'closed' } }))
  const { category, panic } = useSettings()
  // Fleet admins cannot change it.
  const isAdmin = useMe()?.usertype === 'admin'
  const isOff = isAdmin && category === 'taxi' && !panic
  const alarms = open.data?.alarms ?? []
  const wanted = alarms.find(({ booking }) => booking === search.booking)?.id
  useEffect(() => {
    if (wanted) document.getElementById(wanted)?.scrollIntoView({ block: 'start' })
  }, [wanted])
  if (open.isPending) return <LoadingState rows={3} height="220px" />
  if (open.isError) return <ErrorState error={open.error} onRetry={() => void open.refetch()} />
  const past = closed.data?.alarms ?? []
  return (
    <div className={pageFrame}>
      <PageHead title={t('alarms.title')} lead={t('alarms.intro')} />
      {isOff ? (
        <Notice tone="attention">
          {t('alarms.button_off')}{' '}
          <Link to="/settings" hash="safety">
            {t('alarms.button_setting')}
          </Link>
        </Notice>
      ) : null}
      {alarms.length === 0 ? (
        <EmptyState title={t('alarms.none')}>{t('alarms.none_text')}</EmptyState>
      ) : (
        alarms.map((alarm) => <AlarmCard key={alarm.id} alarm={alarm} heading="h2" />)
      )}
      {past.length > 0 ? (
        <>
          <h2 className={classes.past}>{t('alarms.closed')}</h2>
          {past.map((alarm) => (
            <AlarmCard key={alarm.id} alarm={alarm} heading="h3" />
          ))}
        </>
      ) : null}
    </div>
  )
}
