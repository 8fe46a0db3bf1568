import { ApiError } from '@hansom/client/api-error'
import type { BookingView, FareOffer } from '@hansom/contract/bookings'
import type { DeliveryEstimate, DeliveryQuote, InstructionData } from '@hansom/contract/deliveries'
import { isByCard } from '@hansom/domain/bookings/amounts'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import type { WrittenTexts } from '@hansom/domain/bookings/fields'
import type { CashPlace } from '@hansom/domain/deliveries/delivery'
import { translate } from '@hansom/domain/languages/translations'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
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
import { chosenAmong, DeliveryPayment, deliveryPayments } from './delivery-payment.tsx'
import { FareLines, PaymentChoice } from './fare-and-payment.tsx'
import { type ChosenPayment, rememberPayment, startingPayment } from './last-payment.ts'
import type { OfficeBooking } from './office-booking.ts'
import { OfficeSummary, officeRequest } from './office-summary.tsx'

export interface TripToConfirm {
  pickup: PlacePoint
  drop: PlacePoint
  offer: FareOffer
  /** Epoch ms of a Book Later trip; null for now. */
  tripdate: number | null
  /** A booking by the office; null for one's own trip. */
  office: OfficeBooking | null
}

/** What a delivery has in addition. */
interface DeliveryPart {
  estimate: DeliveryEstimate
  /** Shown in place of the route; the quote is null while it is loading. */
  details: (quote: DeliveryQuote | null) => ReactNode
  /** The request's part; null if something is missing, which is shown at its field. */
  complete: (cash_at: CashPlace | undefined) => InstructionData | null
  /** Shows errors of the server at their fields; false if none belongs to a field. */
  showRefusal: (error: ApiError) => boolean
}

interface Props {
  trip: TripToConfirm
  /** Null for a trip. */
  delivery?: DeliveryPart | null
  onClose: () => void
  onBooked: (booking: BookingView) => void
  /** Called with errors that the dialog cannot handle. */
  onError: (error: unknown) => void
}

/** Estimate and confirmation: route, fare breakdown, payment method, promo and the booking button. */
export default function ConfirmDialog({ trip, delivery = null, onClose, onBooked, onError }: Props) {
  const { t, language } = useText()
  const format = useFormat()
  const { cardAvailable, deliveryCash, timezone } = useSettings()
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
        ...(delivery && { delivery: delivery.estimate }),
      },
    }),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  const carDescription = translate(offer.carType, 'extra_info', language.langLocale)
  const plain = useQuery({ ...estimateWith(null), placeholderData: keepPreviousData })
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
      if (office === null && payment) rememberPayment(payment)
      // Refresh the wallet first, so that the held amount is never counted twice.
      if (booking.usedWalletMoney > 0) await refreshMe().catch(() => {})
      storeBooking(booking)
      onBooked(booking)
    },
    onError: async (error) => {
      if (error instanceof ApiError && error.key === 'fare_changed') {
        setFareMoved(true)
        await Promise.all([estimate.refetch(), plain.refetch(), ...(isReturning ? [back.refetch()] : [])])
      } else if (!(error instanceof ApiError && delivery?.showRefusal(error))) onError(error)
    },
  })

  // A rejected promo is reported at its field; the fare without it stays visible and can be confirmed.
  const promoError = promo && estimate.isError ? estimate.error : null
  const quote = estimate.data ?? plain.data
  const me = useMe()
  const amounts = { payable: quote?.payableAmount ?? 0, balance: me?.walletBalance ?? 0 }
  const last = chosen ?? startingPayment(amounts.payable, cardAvailable)
  const methods = delivery ? deliveryPayments(amounts, { cardAvailable, deliveryCash }) : []
  const payment =
    office === null
      ? delivery
        ? chosenAmong(methods, last)
        : last
      : officePayment(office, delivery !== null)

  // A trip paid only from the wallet collects nothing else.
  const isOwn = office === null && me?.usertype === 'rider'
  const owes = useQuery({ ...orpc.bookings.outstanding.queryOptions(), enabled: isOwn })
  const owed = isOwn ? (owes.data?.total ?? 0) : (office?.outstanding ?? 0)
  const isWalletEnough = quote !== undefined && (me?.walletBalance ?? 0) >= quote.payableAmount
  const isByWalletAlone = payment?.mode === 'wallet' || (payment?.mode === 'wallet_card' && isWalletEnough)
  const outstanding = isByWalletAlone ? 0 : owed

  const confirm = () => {
    if (!quote || !payment || book.isPending) return
    setFareMoved(false)
    const instructionData = delivery?.complete(payment.cash_at)
    if (instructionData === null) return
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
      ...(instructionData && { instructionData }),
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
  const isReady = quote !== undefined && payment !== undefined && (!isGroup || groupTotal !== null)
  const isTrip = delivery === null
  // The office confirms trips by keyboard; riders read the fare first.
  useEffect(() => {
    if (office && isReady && isTrip) confirmButton.current?.focus()
  }, [office, isReady, isTrip])

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
          disabled={!isReady || estimate.isPlaceholderData || (estimate.isError && !promoError)}
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
        {delivery ? (
          delivery.details(quote?.delivery ?? null)
        ) : (
          <ol className={classes.way}>
            <li>
              <bdi>{pickup.add}</bdi>
            </li>
            <li>
              <bdi>{drop.add}</bdi>
            </li>
          </ol>
        )}
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
            {delivery === null ? <p className={classes.note}>{t('booking.fare_note')}</p> : null}
          </div>
        ) : null}
        {estimate.isPending ? <LoadingState rows={4} height="24px" /> : null}
        {estimate.isError && !promo ? (
          <ErrorState error={estimate.error} onRetry={() => void estimate.refetch()} />
        ) : null}
        {back.isError ? <ErrorState error={back.error} onRetry={() => void back.refetch()} /> : null}
        {office === null && delivery && quote ? (
          <DeliveryPayment
            {...amounts}
            methods={methods}
            value={payment}
            onChange={setChosen}
            outstanding={owed}
          />
        ) : null}
        {office === null && !delivery ? (
          <PaymentChoice
            value={last}
            onChange={setChosen}
            payable={quote?.payableAmount ?? 0}
            outstanding={owed}
          />
        ) : null}
        {office === null && !delivery ? <BookingTextFields values={texts} onChange={setTexts} /> : null}
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

function Soon({ offer }: { offer: FareOffer }) {
  const { t } = useText()
  const format = useFormat()
  return offer.pickupS === null ? null : (
    <>{t('booking.arrives_in', { time: format.duration(offer.pickupS) })}</>
  )
}

function officePayment({ options }: OfficeBooking, isDelivery: boolean): ChosenPayment {
  const { payment_mode: mode, cash_at } = options
  return { mode, inAdvance: false, ...(isDelivery && mode === 'cash' && { cash_at }) }
}
