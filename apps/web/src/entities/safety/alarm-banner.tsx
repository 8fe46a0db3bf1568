import type { SafetyAlarm } from '@hansom/contract/safety'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { callAttention, useRepeatedAttention, useSoundAllowed } from '../../lib/alert.ts'
import { api, orpc } from '../../lib/api.ts'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { PhoneLink } from '../../ui/phone-link.tsx'
import { useUrgentTitle } from '../../ui/use-page-title.ts'
import classes from './safety.module.css'

/** How often the alarms are read again without a change that was announced, ms. */
const refetchMs = 60_000

/**
 * The open alarms, on every page of the back office. It stays in sight while the page is scrolled, sounds for admins, and is in
 * the window's title, until someone has taken over each of them.
 */
export function AlarmBanner() {
  const { data } = useQuery({
    ...orpc.safety.list.queryOptions({ input: { state: 'open' } }),
    // As a second means, beside the live topic.
    refetchInterval: refetchMs,
  })
  const isAdmin = useMe()?.usertype === 'admin'
  const alarms = data?.alarms ?? []
  const waiting = alarms.filter(({ acknowledged }) => acknowledged === null)
  const sounds = isAdmin && waiting.length > 0
  useEffect(() => {
    if (sounds) callAttention('alarm')
  }, [sounds])
  useRepeatedAttention(sounds, 'alarm')
  useNoteSeen(waiting)
  const soundAllowed = useSoundAllowed()
  const { t } = useText()
  useUrgentTitle(sounds ? `(${waiting.length}) ${t('alert.safety.title')}` : null)
  if (alarms.length === 0) return null
  return (
    <section
      className={waiting.length > 0 ? `${classes.banner} ${classes.waiting}` : classes.banner}
      ref={waiting.length > 0 ? tellHeight : undefined}
      aria-label={t('alarms.title')}
    >
      {sounds && !soundAllowed ? <p className={classes.muted}>{t('alarms.sound_blocked')}</p> : null}
      {alarms.map((alarm) => (
        <Line key={alarm.id} alarm={alarm} mayTake={isAdmin} />
      ))}
    </section>
  )
}

/** Tells the page how much of it a banner that stays in sight covers. */
function tellHeight(banner: HTMLElement | null) {
  if (!banner) return
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => style.setProperty('--h-alarms', `${banner.offsetHeight}px`))
  observer.observe(banner)
  return () => {
    observer.disconnect()
    style.removeProperty('--h-alarms')
  }
}

function Line({ alarm, mayTake }: { alarm: SafetyAlarm; mayTake: boolean }) {
  const { t } = useText()
  const take = useTakeOver(alarm.id)
  const { acknowledged } = alarm
  return (
    <div className={classes.alarmLine}>
      {/* Only the alarm itself interrupts a screen reader, not the buttons. */}
      <span role="alert">
        <strong>
          {t('alarms.banner', { kind: alarmKind(alarm, t), number: isolated(alarm.booking_id) })}
        </strong>
      </span>
      <span>
        <span className={classes.hint}>{t('alarms.rider')}</span> <bdi>{alarm.rider.name}</bdi>{' '}
        {alarm.rider.phone ? <PhoneLink phone={alarm.rider.phone} /> : null}
      </span>
      <span>
        <span className={classes.hint}>{t('alarms.driver')}</span> <bdi>{alarm.driver.name}</bdi>{' '}
        {alarm.driver.phone ? <PhoneLink phone={alarm.driver.phone} /> : null}
      </span>
      <span className={classes.alarmActions}>
        {acknowledged ? (
          <span>{t('alarms.taken_by', { name: isolated(acknowledged.name ?? '') })}</span>
        ) : mayTake ? (
          <Button variant="primary" busy={take.isPending} onClick={() => take.mutate()}>
            {t('alarms.acknowledge')}
          </Button>
        ) : null}
        <Link to="/safety" search={{ booking: alarm.booking }} className={buttonClass()}>
          {t('alarms.open')}
        </Link>
      </span>
      {take.error ? (
        <span role="alert">
          <ErrorMessage error={take.error} />
        </span>
      ) : null}
    </div>
  )
}

/** The kind of an alarm, of the panic button with who pressed it. */
export function alarmKind(
  { kind, raised_by }: Pick<SafetyAlarm, 'kind' | 'raised_by'>,
  t: ReturnType<typeof useText>['t'],
): string {
  const text = t(`alarms.kind_${kind}`)
  return raised_by === null ? text : t('alarms.kind_by', { kind: text, person: t(`alarms.${raised_by}`) })
}

/** Takes charge of an alarm; afterwards the lists are read again, also when another admin was faster. */
function useTakeOver(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.safety.acknowledge({ id }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: orpc.safety.key() }),
  })
}

/** Notes each new alarm as seen by this user, once per page. */
function useNoteSeen(alarms: readonly SafetyAlarm[]): void {
  const noted = useRef(new Set<string>())
  useEffect(() => {
    for (const { id } of alarms) {
      if (noted.current.has(id)) continue
      noted.current.add(id)
      api.safety.seen({ id }).catch(() => noted.current.delete(id))
    }
  }, [alarms])
}
