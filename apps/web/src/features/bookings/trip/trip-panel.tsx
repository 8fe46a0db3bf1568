import type { BookingView } from '@hansom/contract/bookings'
import { farAway } from '@hansom/domain/bookings/far-away'
import { isOneOf, endedStatuses } from '@hansom/domain/bookings/status'
import { useEffect, useRef } from 'react'
import { serverSpeed, useDeviceNow, useServerNow } from '../../../lib/clock.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { arrivalAt } from './arrival.ts'
import { Arrival } from './arrival-time.tsx'
import { AssignDriver } from './assign-driver.tsx'
import { BookAgain } from './book-again.tsx'
import { CancelTrip } from './cancel-trip.tsx'
import { CashDue } from './cash-due.tsx'
import { CashObjection } from './cash-objection.tsx'
import { CommandButtons } from './command-buttons.tsx'
import { PaidInAdvance } from './paid-in-advance.tsx'
import { PartnerCard } from './partner-card.tsx'
import { PaymentChoice } from './payment-choice.tsx'
import { PaymentDue } from './payment-due.tsx'
import { PinCode } from './pin-code.tsx'
import { Places } from './places.tsx'
import { RateTrip } from './rate-trip.tsx'
import { RatedTrip } from './rated-trip.tsx'
import { Receipt } from './receipt.tsx'
import { RefundTrip } from './refund-trip.tsx'
import { SearchAgain } from './search-again.tsx'
import { SearchProgress } from './search-progress.tsx'
import { isWaiting, statusWords } from './status-words.ts'
import { ShareTrip } from './share-trip.tsx'
import { Timeline } from './timeline.tsx'
import { toBePaid } from './to-be-paid.ts'
import classes from './trip-panel.module.css'
import { WhyCancelled } from './why-cancelled.tsx'
import { useStatusNews } from './use-status-news.ts'
import type { TripDialogs } from './trip-dialogs.ts'
import type { SeenCar } from './use-tracked-car.ts'

const priced: readonly BookingView['status'][] = ['REACHED', 'PENDING', 'PAID', 'COMPLETE']

interface Props {
  view: BookingView
  car: SeenCar | null
  /** Everything up to now has been heard; otherwise the view is as of `asOf`. */
  current: boolean
  asOf: number
  dialogs: TripDialogs
}

/** What is older is shown with its time. */
const staleMs = 5000

/** The trip in words: how it stands, what comes next, who comes, what it costs. */
export function TripPanel({ view, car, current, asOf, dialogs }: Props) {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow(1000)
  const speed = serverSpeed()
  const age = useDeviceNow(1000) - asOf
  const words = statusWords(view, now)
  const params = wordParams(view, format)
  const line = t(words.line, params)
  const head = useRef<HTMLElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useStatusNews(view.status, line, head)
  // Whoever came by a dialog that has closed is nowhere on the page: they go on at its title.
  useEffect(() => {
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true })
  }, [])
  const farKm = car && car.seenAt === null ? farAway(view.pickup, car.point) : null
  const may = (command: string) => view.commands.includes(command)
  const isOver = isOneOf(endedStatuses, view.status)
  return (
    <div className={classes.panel} data-status={view.status}>
      <header ref={head} className={classes.head} data-printed>
        <p className={classes.eyebrow}>
          {view.carType} <span aria-hidden="true">·</span> <bdi dir="ltr">{view.booking_id}</bdi>
        </p>
        <h1 ref={title} tabIndex={-1} className={classes.line}>
          {line}
        </h1>
        {words.next ? <p className={classes.next}>{t(words.next, params)}</p> : null}
        <WhyCancelled view={view} />
        {view.status === 'ARRIVED' && view.viewer === 'rider' && farKm !== null ? (
          <p className={classes.asOf}>{t('trip.car_far', { distance: isolated(format.distance(farKm)) })}</p>
        ) : null}
        <Arrival at={arrivalAt(view, car?.point)} now={now} toPickup={view.status === 'ACCEPTED'} />
        {speed > 1 && !isOver ? (
          <p className={classes.asOf}>{t('trip.demo_clock', { speed: format.number(speed, 1) })}</p>
        ) : null}
        {!current && !isOver && age > staleMs ? (
          <p className={classes.asOf}>{t('trip.as_of', { time: format.clock(asOf) })}</p>
        ) : null}
      </header>
      {view.status === 'NEW' && view.viewer === 'rider' && !isWaiting(view, now) ? (
        <SearchProgress since={Math.max(view.bookingDate, view.drivers_asked_at ?? 0)} now={now} />
      ) : null}
      {view.otp && (view.status === 'ACCEPTED' || view.status === 'ARRIVED') ? (
        <PinCode code={view.otp} />
      ) : null}
      <CashDue view={view} />
      {/* What became of an objection is read first; the way to object comes after the way to pay. */}
      {view.objection ? <CashObjection view={view} /> : null}
      {view.viewer === 'rider' && view.objection !== 'open' ? (
        <PaymentDue view={view} payment={dialogs.payment} />
      ) : null}
      {view.objection ? null : <CashObjection view={view} />}
      {may('rate') ? <RateTrip view={view} /> : null}
      {view.rating === null ? null : <RatedTrip view={view} rating={view.rating} />}
      <SearchAgain view={view} />
      {may('assign_driver') ? <AssignDriver view={view} /> : null}
      {view.viewer === 'admin' ? null : <CommandButtons view={view} />}
      {priced.includes(view.status) || view.cancellation_fee > 0 ? <Receipt view={view} /> : null}
      <PartnerCard view={view} />
      <ShareTrip view={view} />
      <Places view={view} />
      {may('choose_payment') && !toBePaid(view) ? <PaymentChoice view={view} /> : null}
      <PaidInAdvance view={view} />
      <Timeline view={view} />
      {view.viewer === 'rider' && view.status === 'COMPLETE' ? (
        <BookAgain view={view} isNext={false} />
      ) : null}
      {view.viewer === 'admin' ? <CommandButtons view={view} /> : null}
      <RefundTrip view={view} refund={dialogs.refund} />
      {may('cancel') ? <CancelTrip view={view} driverCancel={dialogs.driverCancel} /> : null}
    </div>
  )
}

function wordParams(view: BookingView, format: ReturnType<typeof useFormat>) {
  return {
    drop: isolated(view.dropAddress),
    pickup: isolated(view.pickupAddress),
    driver: isolated(view.driver_name ?? ''),
    rider: isolated(view.customer_name ?? ''),
    money: isolated(format.money(view.payableAmount > 0 ? view.payableAmount : view.trip_cost)),
    time: isolated(format.dateTime(view.tripdate)),
    asked: isolated(format.clock(view.drivers_asked_at ?? view.tripdate)),
  }
}
