import type { BookingEvent, BookingView } from '@hansom/contract/bookings'
import type { Disputed } from '@hansom/contract/refunds'
import { recordedParts, recordedSteps } from '@hansom/domain/bookings/decision'
import type { BookingStatus, PaymentMode } from '@hansom/domain/bookings/status'
import type { StopKind } from '@hansom/domain/deliveries/delivery'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { noticeParams, useReasonText } from '../../../entities/bookings/reason-text.ts'
import { orpc } from '../../../lib/api.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { type Translate, useText } from '../../../lib/i18n.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { Money } from '../../../ui/money.tsx'
import classes from './trip-panel.module.css'
import { useTripRefunds } from './trip-refunds.tsx'

/** The events of a trip. Admins also see who caused each, the reason and the notifications sent. */
export function Timeline({ view }: { view: BookingView }) {
  const { t } = useText()
  const reasonText = useReasonText()
  const format = useFormat()
  const headingId = useId()
  const isAdmin = view.viewer === 'admin' || view.viewer === 'fleetadmin'
  const events = useQuery({
    ...orpc.bookings.events.queryOptions({ input: { id: view.id } }),
    enabled: isAdmin,
    // A new version of the booking means a new event.
    queryKey: [...orpc.bookings.events.queryKey({ input: { id: view.id } }), view.version],
    placeholderData: (before) => before,
  })
  const refunds = useTripRefunds(view)
  const moments = isAdmin && events.data ? withRefunds(momentsFrom(events.data), refunds) : momentsOf(view)
  if (moments.length < 2) return null
  const kinds = new Map(view.delivery?.stops.map(({ n, kind }) => [n, kind]))
  const hasNumbers = (view.delivery?.drops ?? 0) > 1
  return (
    <section className={classes.timeline} aria-labelledby={headingId}>
      <h2 id={headingId}>{t('trip.timeline')}</h2>
      <ol>
        {moments.map(({ at, key, count, stop, actor, name, reason, step, changes, sent, amount }) => (
          <li key={`${key} ${at} ${amount ?? ''} ${stop ?? ''}`}>
            <time dateTime={new Date(at).toISOString()}>
              <Ltr>{format.clock(at)}</Ltr>
            </time>
            <span>
              {t(key, { count })}
              {hasNumbers && stop !== undefined ? (
                <small>{t('delivery.stop', { number: stop })}</small>
              ) : null}
              {actor ? <small>{name ? <bdi>{name}</bdi> : t(`trip.actor_${actor}`)}</small> : null}
              {step ? <small>{stepText(step, t)}</small> : null}
              {amount === undefined ? null : (
                <small>
                  <Money amount={amount} />
                </small>
              )}
              {reason ? <small>{reasonText(reason)}</small> : null}
              {changes?.map((change) => (
                <small key={change.field}>{changeText(change, t, format, kinds)}</small>
              ))}
              {sent.map(({ name: whom, title, params }) => (
                <small key={`${whom} ${title}`} className={classes.sent}>
                  <IconBell size={14} stroke={1.7} aria-hidden />
                  <span>
                    {t('trip.notified', { name: isolated(whom), title: t(title, noticeParams(params, t)) })}
                  </span>
                </small>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function stepText({ from, to }: NonNullable<Moment['step']>, t: Translate): string {
  const word = (status: BookingStatus) => t(`history.status_${status}`)
  return from === null ? word(to) : t('trip.step', { from: word(from), to: word(to) })
}

type DeliveryStop = NonNullable<BookingView['delivery']>['stops'][number]
type AnyChange = NonNullable<BookingEvent['changes']>[number]
type Step = (typeof recordedSteps)[number]
type Change = AnyChange & { field: Exclude<AnyChange['field'], Step> }

/** One changed value, such as "Drop-off: Plaza → Port". */
function changeText(
  { field, from, to }: Change,
  t: Translate,
  format: ReturnType<typeof useFormat>,
  kinds: ReadonlyMap<number, StopKind>,
): string {
  const value = (one: Change['from']) => {
    if (one === null) return t('table.none')
    if (field === 'tripdate') return format.dateTime(Number(one))
    if (field === 'trip_cost') return format.money(Number(one))
    if (field === 'payment_mode') return t(`history.pay_${one as PaymentMode}`)
    if (field === 'bookLater') return t(one ? 'history.bookLater' : 'history.bookNow')
    return String(one)
  }
  // The history has no text of the note.
  if (field === 'note') return t('trip.changed_note')
  const stop = Number(to)
  if (field === 'photo' || field === 'signature') {
    return t(`delivery.changed_${field}_${kinds.get(stop) ?? 'drop'}`, { stop })
  }
  if (isPart(field)) return t(`delivery.changed_${field}`, { stop })
  return t('trip.changed', {
    field: t(`trip.changed_${field}`),
    from: isolated(value(from)),
    to: isolated(value(to)),
  })
}

const isPart = (field: Change['field']): field is (typeof recordedParts)[number] =>
  recordedParts.some((part) => part === field)

/** A step has a text of its own. */
const isEdit = (change: AnyChange): change is Change => recordedSteps.every((step) => step !== change.field)

const stepKeys = {
  delivered: 'trip.event_deliver',
  failed: 'trip.event_fail_drop',
  returned: 'delivery.event_return',
  wrong_code: 'delivery.event_wrong_code',
} as const satisfies Record<Step, string>

/** One event of a trip's timeline: time, text key and reason if given. */
export interface Moment {
  at: number
  key: string
  /** How often it happened in a row. */
  count?: number
  /** The number of the drop. */
  stop?: number | undefined
  /** `you` is the viewer. */
  actor: BookingEvent['actor'] | 'you' | null
  name: string | null
  reason: string | null
  /** Status before and after; null if unchanged or not visible. */
  step: { from: BookingEvent['from']; to: BookingEvent['to'] } | null
  /** The changed values. */
  changes?: readonly Change[] | undefined
  /** The notifications sent. */
  sent: BookingEvent['sent']
  /** The amount of a refund. */
  amount?: number
}

/** The timeline of the parties, derived from the booking and the stops of its delivery. */
export function momentsOf(view: BookingView): Moment[] {
  const isCancelled = view.status === 'CANCELLED'
  const moment = (name: string, at: number | null): Moment[] => {
    if (at === null) return []
    const isEnd = name === 'cancelled'
    const actor = !isEnd ? null : view.cancelledBy === view.viewer ? 'you' : view.cancelledBy
    return [{ ...plain, at, key: `trip.moment_${name}`, actor, reason: isEnd ? view.reason : null }]
  }
  return [
    ...moment('booked', view.bookingDate),
    ...moment('accepted', view.accepted_at),
    ...moment('arrived', view.driver_arrive_time),
    ...moment('started', view.trip_start_time),
    ...(view.delivery?.stops ?? []).flatMap(momentOfStop).sort((one, other) => one.at - other.at),
    ...moment('reached', view.trip_end_time),
    ...moment(isCancelled ? 'cancelled' : 'closed', view.closed_at),
  ]
}

const plain = { actor: null, name: null, reason: null, step: null, sent: [] }

/** How a stop ended. The pickup is the start of the trip. */
function momentOfStop({ n, outcome, done_at, failure }: DeliveryStop): Moment[] {
  const step = recordedSteps.find((one) => one === outcome)
  if (!step || done_at === null) return []
  return [{ ...plain, at: done_at, key: stepKeys[step], stop: dropIn(step, n), reason: failure }]
}

/** The return has no number of its own. */
const dropIn = (step: Step, n: number) => (step === 'returned' ? undefined : n)

/** The timeline for admins: every change with its author and reason. Wrong codes in a row are one moment. */
export function momentsFrom(events: readonly BookingEvent[]): Moment[] {
  const moments: Moment[] = []
  for (const { at, command, actor, name, reason, from, to, changes, sent } of events) {
    const { key, stop } = stepOf(changes) ?? {
      // A start that leaves the status as it was is a wrong trip code.
      key: command === 'start' && from === to ? 'trip.event_wrong_code' : `trip.event_${command}`,
    }
    const isWrongCode = key.endsWith('_wrong_code')
    const last = moments.at(-1)
    const isSame = last?.key === key && last.stop === stop && last.name === name
    if (isWrongCode && isSame && last.count !== undefined) {
      last.count += 1
      last.sent = [...last.sent, ...sent]
      continue
    }
    moments.push({
      at,
      key,
      ...(isWrongCode && { count: 1 }),
      stop,
      actor,
      name,
      reason,
      step: from === to ? null : { from, to },
      changes: changes?.filter(isEdit),
      sent,
    })
  }
  return moments
}

/** What a courier's step did, and at which drop; null for other events. */
function stepOf(changes: BookingEvent['changes']): { key: string; stop?: number | undefined } | null {
  const [change] = changes ?? []
  const step = recordedSteps.find((one) => one === change?.field)
  return step && change ? { key: stepKeys[step], stop: dropIn(step, Number(change.to)) } : null
}

/** Adds when refunds were asked for and how they ended, in order of time. */
export function withRefunds(moments: readonly Moment[], refunds: Disputed['refunds']): Moment[] {
  const ofRefunds = refunds.flatMap(({ at, ended_at, state, amount, reason, by_name }): Moment[] => {
    const moment = { actor: null, step: null, sent: [], amount, reason: null, name: null }
    const asked = { ...moment, at, key: 'trip.event_refund', actor: 'admin' as const, name: by_name, reason }
    return [
      by_name === null ? { ...asked, actor: 'system' as const } : asked,
      ...(ended_at === null ? [] : [{ ...moment, at: ended_at, key: `trip.event_refund_${state}` }]),
    ]
  })
  return [...moments, ...ofRefunds].sort((one, other) => one.at - other.at)
}
