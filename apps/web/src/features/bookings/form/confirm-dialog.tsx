import { ApiError } from '@hansom/client/api-error'
import type { BookingView, FareOffer } from '@hansom/contract/bookings'
import { isByCard } from '@hansom/domain/bookings/amounts'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import type { WrittenTexts } from '@hansom/domain/bookings/fields'
import { translate } from '@hansom/domain/languages/translations'
import { fromCityTime } from '@hansom/domain/time/city-time'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { BookingTextFields } from '../../../entities/bookings/booking-texts.tsx'
import { PromoField, PromoRefusal } from '../../../entities/promos/promo-field.tsx'
import { api, orpc } from '../../../lib/api.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { storeBooking } from '../../../lib/live.ts'
import { refreshMe, useFreshBalance, useMe } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Money } from '../../../ui/money.tsx'
import { ErrorState, LoadingState } from '../../../ui/page-states.tsx'
import { type BookingRequest, bookingKey, forgetBookingKey } from './booking-key.ts'
import classes from './confirm-dialog.module.css'
import { FareLines, PaymentChoice } from './fare-and-payment.tsx'
import { type ChosenPayment, rememberPayment, startingPayment } from './last-payment.ts'
import { callerText, type OfficeBooking } from './office-booking.ts'

export interface TripToConfirm {
  pickup: PlacePoint
  drop: PlacePoint
  offer: FareOffer
  /** Epoch ms of a Book Later trip; null for now. */
  tripdate: number | null
  /** A booking by the office; null for one's own trip. */
  office: OfficeBooking | null
}

interface Props {
  trip: TripToConfirm
  onClose: () => void
  onBooked: (booking: BookingView) => void
  /** Called with errors that the dialog cannot handle. */
  onError: (error: unknown) => void
}

/** Estimate and confirmation: route, fare breakdown, payment method, promo and the booking button. */
export default function ConfirmDialog({ trip, onClose, onBooked, onError }: Props) {
  const { t, language } = useText()
  const format = useFormat()
  const { category, cardAvailable, timezone } = useSettings()
  const { pickup, drop, offer, tripdate, office } = trip
  const [chosen, setChosen] = useState<ChosenPayment | null>(null)
  const [promo, setPromo] = useState<string | null>(null)
  const [fareMoved, setFareMoved] = useState(false)
  const [texts, setTexts] = useState<WrittenTexts>({})
  useFreshBalance()

  const point = ({ lat, lng }: PlacePoint) => ({ lat, lng })
  const estimateWith = (code: string | null) => ({
    ...orpc.bookings.estimate.queryOptions({
      input: {
        pickup: point(pickup),
        drop: point(drop),
        car_type_id: offer.carType.id,
        ...(code ? { promo: code } : {}),
      },
    }),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  const carDescription = translate(offer.carType, 'extra_info', language.langLocale)
  const plain = useQuery(estimateWith(null))
  const estimate = useQuery({ ...estimateWith(promo), placeholderData: keepPreviousData })
  const isReturning = office !== null && office.options.returnAt !== ''
  const back = useQuery({
    ...orpc.bookings.estimate.queryOptions({
      input: { pickup: point(drop), drop: point(pickup), car_type_id: offer.carType.id },
    }),
    enabled: isReturning,
    staleTime: 0,
    refetchOnWindowFocus: false,
  })

  const book = useMutation({
    mutationFn: (request: BookingRequest) =>
      api.bookings.create(request, { context: { idempotencyKey: bookingKey(request) } }),
    onSuccess: async (booking) => {
      forgetBookingKey()
      if (office === null) rememberPayment(payment)
      // Refresh the wallet first, so that the held amount is never counted twice.
      if (booking.usedWalletMoney > 0) await refreshMe().catch(() => {})
      storeBooking(booking)
      onBooked(booking)
    },
    onError: async (error) => {
      if (error instanceof ApiError && error.key === 'fare_changed') {
        setFareMoved(true)
        await Promise.all([estimate.refetch(), plain.refetch(), ...(isReturning ? [back.refetch()] : [])])
      } else onError(error)
    },
  })

  // A rejected promo is reported at its field; the fare without it stays visible and can be confirmed.
  const promoError = promo && estimate.isError ? estimate.error : null
  const quote = estimate.data ?? plain.data
  const payment =
    chosen ??
    (office === null
      ? startingPayment(quote?.payableAmount ?? 0, cardAvailable)
      : { mode: office.options.payment_mode, inAdvance: false })

  // A trip paid only from the wallet collects nothing else.
  const me = useMe()
  const isOwn = office === null && me?.usertype === 'rider'
  const owes = useQuery({ ...orpc.bookings.outstanding.queryOptions(), enabled: isOwn })
  const owed = isOwn ? (owes.data?.total ?? 0) : (office?.outstanding ?? 0)
  const isWalletEnough = quote !== undefined && (me?.walletBalance ?? 0) >= quote.payableAmount
  const isByWalletAlone = payment.mode === 'wallet' || (payment.mode === 'wallet_card' && isWalletEnough)
  const outstanding = isByWalletAlone ? 0 : owed

  const confirm = () => {
    if (!quote || book.isPending) return
    setFareMoved(false)
    book.mutate({
      pickup,
      drop,
      car_type_id: offer.carType.id,
      bookLater: tripdate !== null,
      ...(tripdate === null ? {} : { tripdate }),
      estimate: quote.estimateFare,
      payment_mode: payment.mode,
      ...(isByCard(payment.mode) && payment.inAdvance ? { inAdvance: true } : {}),
      ...(promo && !promoError ? { promo } : {}),
      ...texts,
      ...(office && officeRequest(office, timezone)),
    })
  }

  const isGroup = office !== null && (office.options.cars > 1 || isReturning)
  const groupTotal =
    quote && isGroup && (back.data || !isReturning)
      ? office.options.cars * (quote.payableAmount + (back.data?.payableAmount ?? 0))
      : null
  const confirmButton = useRef<HTMLButtonElement>(null)
  const isReady = quote !== undefined && (!isGroup || groupTotal !== null)
  // The office confirms by keyboard; riders read the fare first.
  useEffect(() => {
    if (office && isReady) confirmButton.current?.focus()
  }, [office, isReady])

  return (
    <Dialog
      open
      onClose={onClose}
      isText={isGroup}
      title={t('booking.confirm_title')}
      footer={
        <Button
          ref={confirmButton}
          variant="primary"
          size="large"
          wide
          disabled={!isReady || (estimate.isError && !promoError)}
          busy={book.isPending}
          onClick={confirm}
        >
          {quote && isReady
            ? t('booking.confirm_for', {
                fare: isolated(format.money((groupTotal ?? quote.payableAmount) + outstanding)),
              })
            : t('booking.confirm')}
        </Button>
      }
    >
      <div className={classes.body}>
        <div className={classes.trip}>
          {offer.carType.image ? <img src={offer.carType.image} alt="" width="96" height="52" /> : null}
          <div>
            <p className={classes.car}>
              <bdi>{translate(offer.carType, 'name', language.langLocale)}</bdi>
            </p>
            {carDescription ? (
              <p className={classes.when}>
                <bdi>{carDescription}</bdi>
              </p>
            ) : null}
            <p className={classes.when}>
              {tripdate === null ? <Soon offer={offer} /> : <bdi>{format.dateTime(tripdate)}</bdi>}
            </p>
          </div>
        </div>
        {office ? <OfficeSummary office={office} /> : null}
        <ol className={classes.way}>
          <li>
            <bdi>{pickup.add}</bdi>
          </li>
          <li>
            <bdi>{drop.add}</bdi>
          </li>
        </ol>
        {fareMoved ? (
          <p className={classes.moved} role="alert">
            {t('error.fare_changed')}
          </p>
        ) : null}
        {quote ? (
          <div>
            <FareLines
              fare={quote.fare}
              discount={quote.discount_amount}
              payable={quote.payableAmount}
              outstanding={outstanding}
            />
            {isGroup ? (
              <dl className={classes.group}>
                {back.data ? (
                  <div>
                    <dt>{t('booking.return_fare')}</dt>
                    <dd>
                      <Money amount={back.data.payableAmount} />
                    </dd>
                  </div>
                ) : null}
                {groupTotal === null ? null : (
                  <div>
                    <dt>
                      {t('booking.group_total', { count: office.options.cars * (isReturning ? 2 : 1) })}
                    </dt>
                    <dd>
                      <strong>
                        <Money amount={groupTotal} />
                      </strong>
                    </dd>
                  </div>
                )}
              </dl>
            ) : null}
            {outstanding > 0 ? <p className={classes.note}>{t('booking.outstanding_note')}</p> : null}
            {category === 'taxi' ? <p className={classes.note}>{t('booking.fare_note')}</p> : null}
          </div>
        ) : null}
        {estimate.isPending ? <LoadingState rows={4} height="24px" /> : null}
        {estimate.isError && !promo ? (
          <ErrorState error={estimate.error} onRetry={() => void estimate.refetch()} />
        ) : null}
        {back.isError ? <ErrorState error={back.error} onRetry={() => void back.refetch()} /> : null}
        {office === null ? (
          <PaymentChoice
            value={payment}
            onChange={setChosen}
            payable={quote?.payableAmount ?? 0}
            outstanding={owed}
          />
        ) : null}
        {office === null ? <BookingTextFields values={texts} onChange={setTexts} /> : null}
        {isGroup ? null : (
          <PromoField
            applied={promoError ? null : promo && (estimate.data?.promo_name ?? promo)}
            saves={quote?.discount_amount ?? 0}
            busy={estimate.isFetching && promo !== null}
            error={promoError ? <PromoRefusal error={promoError} /> : null}
            onApply={setPromo}
            onEdit={() => setPromo(null)}
          />
        )}
      </div>
    </Dialog>
  )
}

/** The caller, the payment, and what the request books in addition. */
function OfficeSummary({ office }: { office: OfficeBooking }) {
  const { t } = useText()
  const format = useFormat()
  const { timezone } = useSettings()
  const { payment_mode, passengers, cars, returnAt, note } = office.options
  const lines = [
    [t('booking.rider'), callerText(office)],
    [t('booking.pay_with'), t(`history.pay_${payment_mode}`)],
    [t('bookingTexts.passengers'), passengers === null ? null : format.number(passengers)],
    [t('booking.cars'), cars === 1 ? null : format.number(cars)],
    [t('booking.return_trip'), returnAt ? format.dateTime(fromCityTime(returnAt, timezone)) : null],
    [t('bookingTexts.note'), note],
  ] as const
  return (
    <dl className={classes.lines}>
      {lines.map(([label, value]) =>
        value ? (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  )
}

function officeRequest({ rider, options }: OfficeBooking, timezone: string): Partial<BookingRequest> {
  const { passengers, cars, returnAt, note } = options
  return {
    ...rider,
    ...(passengers === null ? {} : { passengers }),
    ...(cars === 1 ? {} : { cars }),
    ...(returnAt ? { returnAt: fromCityTime(returnAt, timezone) } : {}),
    ...(note.trim() ? { note } : {}),
  }
}

function Soon({ offer }: { offer: FareOffer }) {
  const { t } = useText()
  const format = useFormat()
  return offer.pickupS === null ? null : (
    <>{t('booking.arrives_in', { time: format.duration(offer.pickupS) })}</>
  )
}
