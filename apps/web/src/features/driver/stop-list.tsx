import type { BookingView } from '@hansom/contract/bookings'
import { expectedAt } from '@hansom/domain/deliveries/delivery'
import type { TextKey } from '@hansom/domain/languages/text-key'
import {
  IconAlertTriangle,
  IconCash,
  IconCheck,
  IconNavigation,
  IconPackage,
  IconPhone,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { stopArrivalAt, useTrackedCar } from '../../entities/bookings/tracked-car.ts'
import { useExtraText } from '../../entities/car-types/car-type-name.tsx'
import { useServerNow } from '../../lib/clock.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Money } from '../../ui/money.tsx'
import classes from './driver.module.css'
import { navigationLink } from './navigation-link.ts'
import own from './stop-list.module.css'
import { nextStop, type StopView } from './stop-steps.ts'

interface Props {
  booking: BookingView
  /** After the pending steps. */
  status: BookingView['status']
  /** After the pending steps. */
  stops: readonly StopView[]
  /** The number of the stop that the courier works on; null: none is left. */
  active: number | null
  /** Choosing another stop, once the parcel is collected. */
  onChoose: ((n: number) => void) | null
  /** Actions of the active stop. */
  children?: ReactNode
}

/** The stops of a delivery: the active one with everything the courier needs, then the open ones, then the settled ones. */
export function StopList({ booking, status, stops, active, onChoose, children }: Props) {
  const { t } = useText()
  const now = useServerNow()
  // The sender sees the same times.
  const arrival = stopArrivalAt(
    { ...booking, status, delivery: { stops } },
    useTrackedCar(booking)?.point,
    now,
  )
  const current = stops.find(({ n }) => n === active)
  const others = stops.filter(({ n }) => n !== active)
  const open = others.filter(({ outcome }) => outcome === null)
  const settled = others.filter(({ outcome }) => outcome !== null)
  const drops = stops.filter(({ kind }) => kind === 'drop')
  const done = drops.filter(({ outcome }) => outcome !== null).length
  return (
    <div className={own.stops}>
      <p className={classes.meta}>{t('courier.progress', { done, count: drops.length })}</p>
      {current ? (
        <ActiveStop stop={current} expected={expectedAt({ stops }, current, now, arrival)}>
          {children}
        </ActiveStop>
      ) : null}
      {others.length > 0 ? (
        <ol className={own.list} aria-label={t('courier.other_stops')}>
          {open.map((stop) => (
            <li key={stop.n} className={own.row}>
              <StopMark stop={stop} />
              <StopSummary stop={stop} expected={expectedAt({ stops }, stop, now, arrival)} />
              {onChoose && stop.kind === 'drop' ? (
                <button
                  type="button"
                  className={buttonClass({ variant: 'quiet', size: 'small' })}
                  aria-label={t('courier.do_now_label', { person: stop.person ?? '' })}
                  onClick={() => onChoose(stop.n)}
                >
                  {t('courier.do_now')}
                </button>
              ) : null}
            </li>
          ))}
          {settled.map((stop) => (
            <li key={stop.n} className={own.row} data-settled>
              <StopMark stop={stop} />
              <StopSummary stop={stop} expected={stop.planned_at} />
            </li>
          ))}
        </ol>
      ) : null}
    </div>
  )
}

interface StopProps {
  stop: StopView
  /** When it is served: with the delay so far, and not before the window opens. */
  expected: number
}

function ActiveStop({ stop, expected, children }: StopProps & { children: ReactNode }) {
  const { t } = useText()
  const { place, person, phone, instructions } = stop
  const href = navigationLink(place, navigator)
  const isPage = href.startsWith('https:')
  return (
    <article className={own.active} aria-label={stopName(stop, t)}>
      <p className={own.kind}>
        <StopMark stop={stop} /> {stopName(stop, t)}
      </p>
      <p className={classes.target}>{place.add}</p>
      <StopTimes stop={stop} expected={expected} />
      {stop.collect === null ? null : (
        <p className={own.cash}>
          <IconCash size={20} aria-hidden /> {t('courier.collect_cash')} <Money amount={stop.collect} />
        </p>
      )}
      <div className={own.person}>
        {person ? (
          <strong>
            <bdi>{person}</bdi>
          </strong>
        ) : null}
        <span className={own.links}>
          {phone ? (
            <a
              className={buttonClass({ variant: 'secondary', size: 'icon' })}
              href={`tel:${phone}`}
              aria-label={t('courier.call', { person: person ?? '' })}
            >
              <IconPhone size={20} aria-hidden />
            </a>
          ) : null}
          <a
            className={buttonClass({ variant: 'secondary' })}
            href={href}
            {...(isPage ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
          >
            <IconNavigation size={20} aria-hidden />
            {t('driver.navigate')}
          </a>
        </span>
      </div>
      {instructions ? <p className={own.instructions}>{instructions}</p> : null}
      {stop.sender_instructions ? (
        <p className={classes.meta}>
          {t('delivery.sender_wrote', { text: isolated(stop.sender_instructions) })}
        </p>
      ) : null}
      {children}
    </article>
  )
}

function StopSummary({ stop, expected }: StopProps) {
  const { t } = useText()
  const format = useFormat()
  const { outcome, failure, person } = stop
  const result: TextKey | null =
    outcome === 'failed' && failure ? `courier.failure_${failure}` : outcome && `delivery.outcome_${outcome}`
  return (
    <div className={own.summary}>
      {stop.kind === 'drop' ? null : <strong>{stopName(stop, t)}</strong>}
      <span>{stop.place.add}</span>
      <span className={classes.meta}>
        {person ? <bdi>{person}</bdi> : null}
        {result ? (
          <>
            {person ? ' · ' : null}
            {t(result)}
          </>
        ) : null}
      </span>
      {outcome === null ? <StopTimes stop={stop} expected={expected} /> : null}
      {outcome === null && stop.collect !== null ? (
        <strong className={classes.meta}>
          {t('courier.cash_drop', { amount: isolated(format.money(stop.collect)) })}
        </strong>
      ) : null}
    </div>
  )
}

/** When the stop is served, and the window of the recipient. */
function StopTimes({ stop: { kind, window_from, window_to }, expected }: StopProps) {
  const { t } = useText()
  const format = useFormat()
  if (kind !== 'drop') return null
  const window =
    window_from !== null && window_to !== null
      ? t('courier.window', {
          from: isolated(format.clock(window_from)),
          to: isolated(format.clock(window_to)),
        })
      : null
  return (
    <p className={classes.meta}>
      {t('delivery.planned', { time: isolated(format.clock(expected)) })}
      {window ? (
        <>
          {' · '}
          <strong>{window}</strong>
        </>
      ) : null}
    </p>
  )
}

function StopMark({ stop: { kind, n, outcome } }: { stop: StopView }) {
  if (outcome === 'failed') return <IconAlertTriangle className={own.failed} size={20} aria-hidden />
  if (outcome !== null) return <IconCheck className={own.done} size={20} aria-hidden />
  if (kind !== 'drop') return <IconPackage size={20} aria-hidden />
  return (
    <span className={own.number} aria-hidden>
      {n}
    </span>
  )
}

function stopName({ kind, n }: StopView, t: ReturnType<typeof useText>['t']): string {
  return kind === 'drop' ? t('courier.drop', { number: n }) : t(`courier.${kind}`)
}

/** What a courier carries: the number of drops unless the list shows it, the parcel, and the windows to keep. */
export function DeliveryFacts({ booking, isListed }: { booking: BookingView; isListed?: boolean }) {
  const { t } = useText()
  const format = useFormat()
  const extraText = useExtraText()
  const { delivery, parcelTypeSelected, optionSelected } = booking
  if (!delivery) return null
  const parcel = [parcelTypeSelected, optionSelected].map((one) =>
    one ? extraText(one.description) : undefined,
  )
  if (isListed) return <Facts texts={parcel} />
  const drops = delivery.stops.filter(({ kind }) => kind === 'drop')
  const windows = drops.flatMap(({ window_from, window_to }) =>
    window_from !== null && window_to !== null ? [{ from: window_from, to: window_to }] : [],
  )
  const first = Math.min(...windows.map(({ from }) => from))
  const last = Math.max(...windows.map(({ to }) => to))
  const paid = delivery.stops.find(({ collect }) => collect !== null)
  return (
    <Facts texts={[t('courier.drops', { count: drops.length }), ...parcel]}>
      {paid ? (
        <>
          {' · '}
          <strong>
            {t(paid.kind === 'pickup' ? 'courier.cash_pickup' : 'courier.cash_drop', {
              amount: isolated(format.money(paid.collect ?? 0)),
            })}
          </strong>
        </>
      ) : null}
      {windows.length > 0 ? (
        <>
          {' · '}
          <strong>
            {t('courier.windows', {
              count: windows.length,
              from: isolated(format.clock(first)),
              to: isolated(format.clock(last)),
            })}
          </strong>
        </>
      ) : null}
    </Facts>
  )
}

function Facts({ texts, children }: { texts: (string | undefined)[]; children?: ReactNode }) {
  const known = texts.filter(Boolean)
  if (known.length === 0) return null
  return (
    <p className={classes.meta}>
      {known.join(' · ')}
      {children}
    </p>
  )
}

/** The stop that the courier chose, or the next one. */
export function activeStop(stops: readonly StopView[], chosen: number | null): StopView | null {
  return stops.find(({ n, outcome }) => n === chosen && outcome === null) ?? nextStop(stops)
}
