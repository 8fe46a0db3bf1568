import type { BookingView } from '@hansom/contract/bookings'
import { IconMapPin, IconNavigation, IconStarFilled } from '@tabler/icons-react'
import { CarTypeName } from '../../entities/car-types/car-type-name.tsx'
import { useServerNow } from '../../lib/clock.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Money } from '../../ui/money.tsx'
import classes from './driver.module.css'
import own from './request-card.module.css'
import { DeliveryFacts } from './stop-list.tsx'

interface Props {
  request: BookingView
  busy: boolean
  onAccept: () => void
  onDecline: () => void
}

/** Stays at the end of a line that breaks. */
const dot = '\u00a0· '

/** One request: earnings, distance and time left to answer. */
export function RequestCard({ request, busy, onAccept, onDecline }: Props) {
  const { t } = useText()
  const format = useFormat()
  const offered = request.request
  return (
    <article
      className={own.request}
      aria-label={t('driver.request_label', { pickup: request.pickupAddress })}
    >
      <div className={own.requestHead}>
        <div>
          <p className={classes.fare}>
            <Money amount={request.driver_share ?? request.trip_cost} />
          </p>
          <p className={classes.meta}>{t('driver.you_earn')}</p>
          <p className={classes.meta}>
            {t('driver.rider_pays', { amount: isolated(format.money(request.trip_cost)) })}
            {dot}
            {t(`driver.pay_${request.payment_mode}`)}
            {dot}
            <CarTypeName stored={request.carType} />
            {request.customerRating === null ? null : (
              <>
                {dot}
                <span className={own.unbroken}>
                  <IconStarFilled size={14} aria-hidden className={classes.star} />{' '}
                  <bdi>{t('driver.rider_rating', { rating: format.rating(request.customerRating) })}</bdi>
                </span>
              </>
            )}
          </p>
        </div>
        {offered?.expires_at ? (
          <CountdownRing
            endsAt={offered.expires_at}
            totalS={(offered.expires_at - offered.requested_at) / 1000}
            size={64}
          />
        ) : null}
      </div>
      <ol className={own.way}>
        <li>
          <IconNavigation size={18} aria-hidden />
          <div>
            {offered ? (
              <strong>
                {t('driver.pickup_in', {
                  distance: format.distance(offered.pickupKm),
                  time: format.duration(offered.pickupS),
                })}
              </strong>
            ) : null}
            <span>{request.pickupAddress}</span>
          </div>
        </li>
        <li>
          <IconMapPin size={18} aria-hidden />
          <div>
            <strong>
              {t('driver.trip_of', {
                distance: format.distance(request.estimateDistance),
                time: format.duration(durationOf(request)),
              })}
            </strong>
            <span>{request.dropAddress}</span>
          </div>
        </li>
      </ol>
      <DeliveryFacts booking={request} />
      <ScheduledFor request={request} />
      <div className={own.requestButtons}>
        <Button variant="primary" size="large" wide busy={busy} onClick={onAccept}>
          {t('driver.accept')}
        </Button>
        <Button variant="quiet" disabled={busy} onClick={onDecline}>
          {t('driver.decline')}
        </Button>
      </div>
    </article>
  )
}

function ScheduledFor({ request: { bookLater, tripdate } }: Pick<Props, 'request'>) {
  const { t } = useText()
  const format = useFormat()
  if (!bookLater) return null
  return <p className={classes.meta}>{t('driver.at_time', { time: isolated(format.dateTime(tripdate)) })}</p>
}

/** From the pickup to the drop-off, with the time at the stops of a delivery, s. */
function durationOf({ estimateTime, delivery }: BookingView): number {
  const [first, last] = [delivery?.stops[0], delivery?.stops.at(-1)]
  return first && last ? Math.max(estimateTime, (last.planned_at - first.planned_at) / 1000) : estimateTime
}

/** A request of the back office for the time after the current trip; it cannot be accepted yet. */
export function UpcomingRequest({ request, busy, onDecline }: Omit<Props, 'onAccept'>) {
  const { t } = useText()
  return (
    <article className={own.upcoming} aria-label={t('driver.upcoming_label')}>
      <p className={own.requestHead}>
        <strong>{t('driver.upcoming_label')}</strong>
        <Money amount={request.driver_share ?? request.trip_cost} />
      </p>
      <p>{request.pickupAddress}</p>
      <ScheduledFor request={request} />
      <p className={classes.meta}>{t('driver.upcoming_text')}</p>
      <Button variant="quiet" disabled={busy} onClick={onDecline}>
        {t('driver.decline')}
      </Button>
    </article>
  )
}

interface CountdownRingProps {
  /** Epoch ms on the server's clock. */
  endsAt: number
  /** Total duration in seconds. */
  totalS: number
  size?: number
}

/** Seconds left, as a number inside an emptying ring. */
function CountdownRing({ endsAt, totalS, size = 56 }: CountdownRingProps) {
  const now = useServerNow(250)
  const left = Math.max(0, (endsAt - now) / 1000)
  const radius = size / 2 - 4
  const around = 2 * Math.PI * radius
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${size} ${size}`}
      role="timer"
      aria-label={String(Math.ceil(left))}
    >
      <circle cx={size / 2} cy={size / 2} r={radius} fill="none" stroke="var(--h-line)" strokeWidth="5" />
      <circle
        cx={size / 2}
        cy={size / 2}
        r={radius}
        fill="none"
        stroke="var(--h-accent)"
        strokeWidth="5"
        strokeLinecap="round"
        strokeDasharray={around}
        strokeDashoffset={around * (1 - Math.min(1, left / totalS))}
        transform={`rotate(-90 ${size / 2} ${size / 2})`}
        style={{ transition: 'stroke-dashoffset 250ms linear' }}
      />
      <text
        x="50%"
        y="50%"
        dy="0.36em"
        textAnchor="middle"
        fill="var(--h-ink)"
        fontSize={size * 0.32}
        fontWeight="640"
        style={{ fontVariantNumeric: 'tabular-nums' }}
      >
        {Math.ceil(left)}
      </text>
    </svg>
  )
}
