import type { BookingView } from '@hansom/contract/bookings'
import { farAway } from '@hansom/domain/bookings/reach'
import { drivingStatuses, isOneOf, movingStatuses, trackedStatuses } from '@hansom/domain/bookings/status'
import type { LatLng } from '@hansom/domain/geo/point'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { IconNavigation, IconPhone, IconStarFilled } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { BookingTexts } from '../../entities/bookings/booking-texts.tsx'
import { PickupTime } from '../../entities/bookings/pickup-time.tsx'
import { ChatButton, type ChatPanel } from '../../entities/chats/chat-button.tsx'
import { TripSafety } from '../../entities/safety/trip-safety.tsx'
import { serverNow } from '../../lib/clock.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useConnection } from '../../lib/live.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { CancelTrip } from './cancel-trip.tsx'
import { CollectCash } from './collect-cash.tsx'
import { StopSteps } from './delivery-steps.tsx'
import classes from './driver.module.css'
import { navigationLink } from './navigation-link.ts'
import { FarDialog, type PlacedStep, StepButton } from './step-button.tsx'
import { activeStop, DeliveryFacts, StopList } from './stop-list.tsx'
import { neededAt, type StopView, settlesAll, stopsAfter } from './stop-steps.ts'
import { statusAfter, stepFor, type TakenStep, type TappedStep } from './trip-commands.ts'
import type { StepRefusal } from './use-offline-queue.ts'

const ProofSheet = lazy(() => import('./proof-sheet.tsx'))

/** Statuses with their own instructions for the driver. */
const instructed = [...drivingStatuses, 'PENDING', 'PAID'] as const

interface Props {
  booking: BookingView
  chat: ChatPanel
  /** The driver's position; null if unknown. */
  own: LatLng | null
  tapped: readonly TappedStep[]
  refusal: StepRefusal | null
  onStep: (step: TakenStep) => void
}

/** The current trip: destination, rider and one large button for the next step. */
export function TripPanel({ booking, chat, own, tapped, refusal, onStep }: Props) {
  const { t } = useText()
  const format = useFormat()
  const settings = useSettings()
  const { delivery } = booking
  const connection = useConnection()
  const [cancelling, setCancelling] = useState(false)
  const [far, setFar] = useState<{ step: PlacedStep; km: number } | null>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const [proving, setProving] = useState<{ taken: TakenStep; stop: StopView } | null>(null)
  const mine = tapped.filter((step) => step.booking === booking.id)
  const isHeld = mine.some(({ held }) => held)
  // The server checks codes: while online, such a step counts only after its response.
  const checkedAt = connection === 'good' ? mine.findIndex(isCheckedStep) : -1
  const isChecked = checkedAt >= 0
  const answered = isChecked ? mine.slice(0, checkedAt) : mine
  const status = isHeld ? booking.status : statusAfter(booking.status, answered, booking.payment_mode)
  // The payment's state is known only after the response to closing.
  const closing = !isHeld && mine.some(({ step }) => step === 'close')
  const toPickup = status === 'ACCEPTED' || status === 'ARRIVED'
  // The final fare is known only after the server knows the end of the trip.
  const fareToCome = settings.category === 'taxi' && !isHeld && mine.some(({ step }) => step === 'reach')
  const isCash = booking.payment_mode === 'cash' && !booking.prepaid
  const isEnd = status === 'REACHED' && !closing
  const collect = isEnd && isCash && !fareToCome && booking.collect?.total ? booking.collect : null
  // A cash trip is closed with the collected amount, so it waits for the connection.
  const isAmountToCome = isEnd && isCash && (fareToCome || booking.status !== 'REACHED')
  const stops = delivery && stopsAfter(delivery, answered)
  const isCarrying = isOneOf(trackedStatuses, status)
  const open = stops && isCarrying ? (toPickup ? (stops[0] ?? null) : activeStop(stops, chosen)) : null
  const near = useNearSince(open?.place ?? null, own)
  const isBetweenStops = open !== null && status === 'STARTED'
  const step = closing || collect || isAmountToCome || isBetweenStops ? null : stepFor(status)
  const mayCancel = mine.length === 0 && booking.commands.includes('cancel')
  const refused = refusal?.step.booking === booking.id ? refusal : null
  // A proof that was refused is given again.
  useEffect(() => {
    const { step: given } = refused ?? {}
    // A failed drop is reported again in its own dialog.
    if (given?.step === 'fail_drop') return
    const stop = given && stops?.find(({ n, outcome }) => n === given.stop && outcome === null)
    if (given && stop && neededAt(stop, settings).length > 0) setProving({ taken: plain(given), stop })
  }, [refused])
  /** Gives a step; the last one of a delivery also ends the trip, if nothing is to be collected. */
  const give = (taken: TakenStep) => {
    onStep(taken)
    if (taken.stop === undefined || !delivery) return
    setChosen(null)
    if (!settlesAll(delivery, [...mine.filter(({ stop }) => stop !== taken.stop), taken])) return
    onStep({ booking: booking.id, step: 'reach' })
    if (!isCash || [...mine, taken].some(({ cash }) => cash !== undefined)) {
      onStep({ booking: booking.id, step: 'close' })
    }
  }
  const take = (taken: TakenStep) => {
    const stop = taken.step === 'start' || taken.step === 'deliver' ? open : null
    if (stop && neededAt(stop, settings).length > 0) {
      setProving({ taken, stop })
      return
    }
    if (delivery && taken.step !== 'arrive') {
      give(taken)
      return
    }
    const place = placeOf(booking, taken.step)
    const km = place && farAway(place, own)
    if (km !== null && isPlaced(taken.step)) setFar({ step: taken.step, km })
    else onStep(taken)
  }
  return (
    <section className={classes.trip} aria-label={t('driver.trip_label')}>
      <output className={classes.status}>
        {t(
          open?.kind === 'return'
            ? 'courier.bring_back'
            : isOneOf(instructed, status)
              ? `driver.status_${status}`
              : `history.status_${status}`,
        )}
      </output>
      {toPickup ? <PickupTime view={booking} className={classes.meta} /> : null}
      {stops && isCarrying ? (
        <>
          <DeliveryFacts booking={booking} isListed />
          <StopList
            booking={booking}
            status={status}
            stops={stops}
            active={open?.n ?? null}
            onChoose={isBetweenStops && !isChecked ? setChosen : null}
          >
            {open && isBetweenStops ? (
              <StopSteps
                key={open.n}
                booking={booking.id}
                stop={open}
                refusal={refused?.step.stop === open.n ? refused : null}
                busy={isChecked}
                near={near}
                onStep={take}
              />
            ) : null}
          </StopList>
        </>
      ) : (
        <div className={classes.targetLine}>
          <p className={classes.target}>{toPickup ? booking.pickupAddress : booking.dropAddress}</p>
          {isOneOf(movingStatuses, status) ? (
            <Navigate to={toPickup ? booking.pickup : booking.drop} />
          ) : null}
        </div>
      )}
      <div className={classes.person}>
        <div className={classes.personName}>
          <strong>
            <bdi>{booking.customer_name}</bdi>
          </strong>
          <span className={classes.meta}>
            {booking.customerRating === null ? null : (
              <>
                <IconStarFilled size={14} aria-hidden className={classes.star} />{' '}
                {t('driver.rider_rating', { rating: format.rating(booking.customerRating) })}
                {' · '}
              </>
            )}
            {t(`driver.pay_${booking.payment_mode}`)} · <Money amount={booking.trip_cost} />
          </span>
        </div>
        <ChatButton view={booking} panel={chat} />
        {booking.customer_contact ? (
          <a
            className={buttonClass({ variant: 'secondary', size: 'icon' })}
            href={`tel:${booking.customer_contact}`}
            aria-label={t('driver.call_rider')}
          >
            <IconPhone size={20} aria-hidden />
          </a>
        ) : null}
      </div>
      <TripSafety view={booking} own={own} isBrief />
      <BookingTexts view={booking} />
      {fareToCome || isAmountToCome ? (
        <p className={classes.waiting}>{t('driver.fare_to_come')}</p>
      ) : collect ? (
        <CollectCash
          booking={booking}
          collect={collect}
          refusal={refused?.step.step === 'close' ? refused : null}
          onStep={onStep}
        />
      ) : status === 'REACHED' ? (
        <NothingToCollect booking={booking} />
      ) : status === 'PENDING' ? (
        <StillToPay booking={booking} />
      ) : null}
      {mine.length > 0 && !isChecked ? (
        <output className={classes.waiting}>
          {isHeld
            ? t(delivery ? 'courier.held' : 'driver.code_again')
            : t('driver.waiting_to_send', { count: mine.length })}
        </output>
      ) : null}
      {refused &&
      refused.step.step !== step &&
      refused.step.stop !== open?.n &&
      !(collect && refused.step.step === 'close') ? (
        <p className={classes.warning} role="alert">
          <ErrorMessage error={refused.error} />
        </p>
      ) : null}
      {step ? (
        <StepButton
          key={step}
          booking={booking}
          step={step}
          refusal={refused?.step.step === step ? refused : null}
          busy={isChecked}
          onStep={take}
        />
      ) : null}
      {status === 'PENDING' && !closing ? <p className={classes.meta}>{t(waitKey(booking))}</p> : null}
      {mayCancel ? (
        <Button variant="quiet" wide aria-haspopup="dialog" onClick={() => setCancelling(true)}>
          {t('driver.cancel_trip')}
        </Button>
      ) : null}
      <p className={classes.code}>
        <Ltr>{booking.booking_id}</Ltr>
      </p>
      {far ? (
        <FarDialog
          {...far}
          onClose={() => setFar(null)}
          onConfirm={() => {
            setFar(null)
            onStep({ booking: booking.id, step: far.step })
          }}
        />
      ) : null}
      {proving ? (
        <Suspense fallback={null}>
          <ProofSheet
            {...proving}
            parcels={stops?.filter(({ kind }) => kind === 'drop').length ?? 1}
            refusal={refused?.step.step === proving.taken.step ? refused : null}
            onClose={() => setProving(null)}
            onDone={(taken) => {
              setProving(null)
              give(taken)
            }}
          />
        </Suspense>
      ) : null}
      <CancelTrip booking={booking} open={cancelling} onClose={() => setCancelling(false)} />
    </section>
  )
}

/** A trip paid from the wallet, by card or by a promo: the driver must not ask for money. */
function NothingToCollect({ booking }: { booking: BookingView }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <div className={classes.collect}>
      <p className={classes.target}>{t('driver.collect_none')}</p>
      <p className={classes.meta}>
        {t(booking.prepaid ? 'driver.paid_in_advance' : `driver.paid_by_${booking.payment_mode}`)}
      </p>
      {booking.driver_share === null ? null : (
        <p className={classes.meta}>
          {t('driver.share_of_it', { amount: isolated(format.money(booking.driver_share)) })}
        </p>
      )}
    </div>
  )
}

function StillToPay({ booking }: { booking: BookingView }) {
  const { t } = useText()
  return (
    <p className={classes.amountLine}>
      <span>{t('driver.to_collect')}</span>{' '}
      <Money amount={booking.collect?.trip || booking.payableAmount || booking.trip_cost} />
    </p>
  )
}

/** What the driver waits for after closing an unpaid trip. */
function waitKey({ cash_answer, objection }: BookingView): TextKey {
  if (objection === 'open') return 'driver.wait_for_decision'
  return cash_answer === 'nothing' ? 'driver.wait_unpaid' : 'driver.wait_for_rider'
}

/** Since when the device has been near a place, epoch ms on the server's clock; null: it is not. */
function useNearSince(place: LatLng | null, own: LatLng | null): number | null {
  const isNear = place !== null && own !== null && farAway(place, own) === null
  const key = isNear ? `${place.lat} ${place.lng}` : null
  return useMemo(() => (key === null ? null : serverNow()), [key])
}

/** True for a step with a code, a label or cash, which only the server can check. */
function isCheckedStep({ otp, code, scan, cash, held }: TappedStep): boolean {
  return !held && [otp, code, scan, cash].some((given) => given !== undefined)
}

/** A step as it was taken, without the images that were sent with it. */
function plain({ booking, step, stop, otp }: TakenStep): TakenStep {
  return { booking, step, ...(stop === undefined ? {} : { stop }), ...(otp === undefined ? {} : { otp }) }
}

function isPlaced(step: TakenStep['step']): step is PlacedStep {
  return step === 'arrive' || step === 'reach'
}

/** The place of a step, or null. */
function placeOf({ pickup, drop }: BookingView, step: TakenStep['step']): LatLng | null {
  if (!isPlaced(step)) return null
  return step === 'arrive' ? pickup : drop
}

/** Opens the place in the device's maps app for turn-by-turn directions. */
function Navigate({ to }: { to: BookingView['pickup'] }) {
  const { t } = useText()
  const href = navigationLink(to, navigator)
  const isPage = href.startsWith('https:')
  return (
    <a
      className={buttonClass({ variant: 'secondary' })}
      href={href}
      {...(isPage ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
    >
      <IconNavigation size={20} aria-hidden />
      {t('driver.navigate')}
    </a>
  )
}
