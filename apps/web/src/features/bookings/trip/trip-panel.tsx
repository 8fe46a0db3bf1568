import type { BookingView } from '@hansom/contract/bookings'
import { toBePaid } from '@hansom/domain/bookings/amounts'
import { farAway } from '@hansom/domain/bookings/reach'
import { endedStatuses, isOneOf, isUpcoming } from '@hansom/domain/bookings/status'
import { isRefundable } from '@hansom/domain/wallet/refund'
import { lazy, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { BookingTexts } from '../../../entities/bookings/booking-texts.tsx'
import { PickupTime } from '../../../entities/bookings/pickup-time.tsx'
import { useReasonText } from '../../../entities/bookings/reason-text.ts'
import { arrivalAt, type SeenCar, stopArrivalAt } from '../../../entities/bookings/tracked-car.ts'
import { CarTypeName } from '../../../entities/car-types/car-type-name.tsx'
import { ChatButton } from '../../../entities/chats/chat-button.tsx'
import { PushOffer } from '../../../entities/devices/push-offer.tsx'
import { Decisions } from '../../../entities/dispatch/decisions.tsx'
import { TripSafety } from '../../../entities/safety/trip-safety.tsx'
import { serverSpeed, useDeviceNow, useServerNow } from '../../../lib/clock.ts'
import { isolated, useFormat, withoutIsolates } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSearchParams } from '../../../lib/search-params.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/page-states.tsx'
import { usePageTitle } from '../../../ui/use-page-title.ts'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { AdminActions, AdminHead, AdminLinks } from './admin-trip.tsx'
import { Arrival } from './arrival-time.tsx'
import { CancelTrip } from './cancel-trip.tsx'
import { CashObjection } from './cash-objection.tsx'
import { CommandButtons } from './command-buttons.tsx'
import { EditBooking } from './edit-booking.tsx'
import { isBackOffice, PartnerCard, Places } from './partner-card.tsx'
import { PaymentChoice } from './payment-choice.tsx'
import { CashDue, PaidInAdvance, PaymentDue, PaymentLine } from './payment-due.tsx'
import { RatedTrip, RateTrip } from './rate-trip.tsx'
import { Receipt } from './receipt.tsx'
import { BookAgain, Replaced, SearchAgain, SearchProgress } from './search-again.tsx'
import { ShareTrip } from './share-trip.tsx'
import { statusWords } from './status-text.ts'
import { Timeline } from './timeline.tsx'
import type { TripDialogs } from './trip-dialogs.ts'
import classes from './trip-panel.module.css'
import { TripRefunds } from './trip-refunds.tsx'

const DeliveryStops = lazy(() => import('./delivery-stops.tsx'))

const priced: readonly BookingView['status'][] = ['REACHED', 'PENDING', 'PAID', 'COMPLETE']

interface Props {
  view: BookingView
  car: SeenCar | null
  /** True if the view is current; otherwise it is as of `asOf`. */
  current: boolean
  asOf: number
  dialogs: TripDialogs
}

/** An older view is shown with its time, ms. */
const staleMs = 5000

/** The trip's panel: status, next step, driver and price. */
export function TripPanel({ view, car, current, asOf, dialogs }: Props) {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow(1000)
  const speed = serverSpeed()
  const age = useDeviceNow(1000) - asOf
  const words = statusWords(view, now)
  const params = wordParams(view, format)
  const line = t(words.line, params)
  const isOffice = isBackOffice(view)
  const chatLink = useChatLink()
  const head = useRef<HTMLElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useStatusNews(view.status, isOffice ? `${view.booking_id} · ${line}` : line, head)
  // A closed dialog leaves no focus on the page: continue at the title.
  useEffect(() => {
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true })
  }, [])
  const farKm = car && car.seenAt === null ? farAway(view.pickup, car.point) : null
  const arrival = arrivalAt(view, car?.point, now)
  const stopArrival = stopArrivalAt(view, car?.point, now)
  const may = (command: string) => view.commands.includes(command)
  const isOver = isOneOf(endedStatuses, view.status)
  const isPriced = priced.includes(view.status) || view.cancellation_fee > 0 || (isOffice && !isOver)
  return (
    <div className={classes.panel} data-status={view.status}>
      <header ref={head} className={classes.head} data-printed>
        {isOffice ? (
          <AdminHead view={view} title={title} />
        ) : (
          <>
            <p className={classes.eyebrow}>
              <CarTypeName stored={view.carType} /> <span aria-hidden="true">·</span>{' '}
              <bdi dir="ltr">{view.booking_id}</bdi>
            </p>
            <h1 ref={title} tabIndex={-1} className={classes.line}>
              {line}
            </h1>
          </>
        )}
        {words.next ? <p className={classes.next}>{t(words.next, params)}</p> : null}
        {isOffice || words.line.endsWith('_later') ? null : (
          <PickupTime view={view} className={classes.next} />
        )}
        <Replaced view={view} className={classes.next} />
        <WhyCancelled view={view} />
        {view.status === 'ARRIVED' && view.viewer === 'rider' && farKm !== null ? (
          <p className={classes.asOf}>{t('trip.car_far', { distance: isolated(format.distance(farKm)) })}</p>
        ) : null}
        {view.otp && (isOffice || view.status === 'ACCEPTED' || view.status === 'ARRIVED') ? (
          <PinCode code={view.otp} label={t(isOffice ? 'trip.pin_office' : 'trip.pin')} />
        ) : null}
        <Arrival at={arrival} now={now} toPickup={view.status === 'ACCEPTED'} />
        {speed > 1 && !isOver ? (
          <p className={classes.asOf}>{t('trip.demo_clock', { speed: format.number(speed, 1) })}</p>
        ) : null}
        {!current && !isOver && age > staleMs ? (
          <p className={classes.asOf}>{t('trip.as_of', { time: format.clock(asOf) })}</p>
        ) : null}
      </header>
      <AdminActions
        view={view}
        more={
          <>
            <RefundTrip view={view} refund={dialogs.refund} />
            <ReadChat view={view} dialog={dialogs.readChat} {...chatLink} />
            {may('cancel') ? <CancelTrip view={view} driverCancel={dialogs.driverCancel} /> : null}
          </>
        }
      />
      {view.status === 'NEW' && view.viewer === 'rider' && !isUpcoming(view, now) ? (
        <SearchProgress since={Math.max(view.bookingDate, view.drivers_asked_at ?? 0)} now={now} />
      ) : null}
      <CashDue view={view} />
      {/* The outcome of an objection comes first; the objection form follows the payment. */}
      {view.objection ? <CashObjection view={view} /> : null}
      {view.viewer === 'rider' && view.objection !== 'open' ? (
        <PaymentDue view={view} payment={dialogs.payment} />
      ) : null}
      {view.objection ? null : <CashObjection view={view} />}
      {may('rate') ? <RateTrip view={view} /> : null}
      {view.rating === null ? null : <RatedTrip view={view} rating={view.rating} />}
      <SearchAgain view={view} />
      {isOffice ? null : <CommandButtons view={view} />}
      {isOffice ? (
        <>
          <PartnerCard view={view} />
          <Stops view={view} arrival={stopArrival} />
        </>
      ) : null}
      {isPriced ? <Receipt view={view} /> : null}
      <TripRefunds view={view} lines={dialogs.refundLines} />
      {isOffice ? null : (
        <PartnerCard view={view} chat={<ChatButton view={view} panel={dialogs.chat} {...chatLink} />} />
      )}
      <TripSafety view={view} />
      {view.viewer === 'rider' && !isOver ? <PushOffer reason="trip" /> : null}
      <ShareTrip view={view} />
      {isOffice ? null : <Stops view={view} arrival={stopArrival} />}
      <BookingTexts view={view} />
      {may('choose_payment') && !toBePaid(view) && view.viewer === 'rider' ? (
        <PaymentChoice view={view} />
      ) : null}
      <PaidInAdvance view={view} />
      <PaymentLine view={view} />
      <AdminLinks view={view} />
      <Timeline view={view} />
      {view.viewer === 'admin' ? <Decisions booking={view.id} version={view.version} /> : null}
      {view.viewer === 'rider' && view.status === 'COMPLETE' ? (
        <BookAgain view={view} isNext={false} />
      ) : null}
      {view.viewer === 'rider' ? <EditBooking view={view} /> : null}
      {may('cancel') && !isOffice ? <CancelTrip view={view} driverCancel={dialogs.driverCancel} /> : null}
    </div>
  )
}

/** The places of a trip; of a delivery, its stops. */
function Stops({ view, arrival }: { view: BookingView; arrival: number | null }) {
  if (!view.delivery) return <Places view={view} />
  return (
    <Suspense fallback={<Skeleton height="160px" />}>
      <DeliveryStops view={view} delivery={view.delivery} arrival={arrival} />
    </Suspense>
  )
}

function wordParams(view: BookingView, format: ReturnType<typeof useFormat>) {
  const next = view.delivery?.stops.find(({ kind, outcome }) => kind !== 'pickup' && outcome === null)
  return {
    drop: isolated(next?.place.add ?? view.dropAddress),
    pickup: isolated(view.pickupAddress),
    driver: isolated(view.driver_name ?? ''),
    rider: isolated(view.customer_name ?? ''),
    money: isolated(format.money(view.payableAmount > 0 ? view.payableAmount : view.trip_cost)),
    time: isolated(format.dateTime(view.tripdate)),
    asked: isolated(format.clock(view.drivers_asked_at ?? view.tripdate)),
  }
}

/** The code that the rider gives the driver, which proves that it is the right car. */
function PinCode({ code, label }: { code: string; label: string }) {
  return (
    <section className={classes.pin} aria-label={label}>
      <span className={classes.pinLabel}>{label}</span>
      <bdi dir="ltr" className={classes.pinDigits} aria-hidden="true">
        {code}
      </bdi>
      <VisuallyHidden>{code.split('').join(' ')}</VisuallyHidden>
    </section>
  )
}

/** Whether the URL asks for the conversation, as a notification does; once opened, it no longer does. */
function useChatLink(): { isOpen: boolean; onOpened: () => void } {
  const [search, change] = useSearchParams()
  const onOpened = useCallback(() => change(({ chat: _chat, ...rest }) => rest), [change])
  return { isOpen: search['chat'] === 'open', onOpened }
}

/** Lets an admin read what rider and driver wrote to each other. */
function ReadChat({
  view,
  dialog,
  isOpen,
  onOpened,
}: { view: BookingView; dialog: TripDialogs['readChat'] } & ReturnType<typeof useChatLink>) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    if (!isOpen || view.viewer !== 'admin') return
    setOpen(true)
    onOpened()
  }, [isOpen, onOpened, view.viewer])
  if (view.viewer !== 'admin' || view.driver === null) return null
  return (
    <>
      <Button size="large" wide aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('chatButton.read')}
      </Button>
      {open ? dialog(view, () => setOpen(false)) : null}
    </>
  )
}

/** Lets an admin refund all or part of the trip's payment. */
function RefundTrip({ view, refund }: { view: BookingView; refund: TripDialogs['refund'] }) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  if (view.viewer !== 'admin' || !isRefundable(view)) return null
  return (
    <>
      <Button size="large" wide aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('trip.refund')}
      </Button>
      {open ? refund(view, () => setOpen(false)) : null}
    </>
  )
}

/** The reason another party gave for the end; the system's is in the status line, and admins see the timeline. */
function WhyCancelled({ view }: { view: BookingView }) {
  const { t } = useText()
  const reasonText = useReasonText()
  const { status, viewer, cancelledBy, reason } = view
  const isTold = viewer === 'rider' || viewer === 'driver'
  if (status !== 'CANCELLED' || !isTold || !reason) return null
  if (cancelledBy === viewer || cancelledBy === 'system') return null
  return <p className={classes.next}>{t('trip.why', { reason: isolated(reasonText(reason)) })}</p>
}

/**
 * Puts the status into the document title, announces every change, and scrolls `head`, which shows it, into view.
 */
function useStatusNews(
  status: BookingView['status'],
  line: string,
  head: RefObject<HTMLElement | null>,
): void {
  usePageTitle(withoutIsolates(line))
  const told = useRef(status)
  useEffect(() => {
    if (told.current === status) return
    told.current = status
    announce(withoutIsolates(line))
    head.current?.scrollIntoView({ block: 'nearest' })
  }, [status, line, head])
}
