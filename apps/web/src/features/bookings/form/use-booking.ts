import { ApiError } from '@hansom/client/api-error'
import type { PaymentMode } from '@hansom/domain/bookings/status'
import { earliestTrip } from '@hansom/domain/dispatch/timing'
import { isSamePlace } from '@hansom/domain/geo/point'
import { fromCityTime, toCityTime } from '@hansom/domain/time/city-time'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useReducer, useState } from 'react'
import {
  type Draft,
  emptyDraft,
  routeEstimate,
  storeDraft,
  storedDraft,
} from '../../../entities/bookings/booking-draft.ts'
import { orpc } from '../../../lib/api.ts'
import { serverNow } from '../../../lib/clock.ts'
import { useSearchParams } from '../../../lib/search-params.ts'
import { useMe } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import type { TripToConfirm } from './confirm-dialog.tsx'
import { bookingRefusal, changeDraft, type TripEnd } from './draft.ts'
import { startingPayment } from './last-payment.ts'
import type { OfficeBooking } from './office-booking.ts'
import { usePointAddress } from './use-point-address.ts'

/** Whom the booking is for: the user, or a rider of the office, who may not be known yet. */
export type BookingFor =
  | 'oneself'
  | {
      office: OfficeBooking | null
      payment_mode: PaymentMode
      /** The rider's last car type, preselected if it is offered. */
      lastCar: string | null
    }

/** State and actions of the booking form. The draft of the user's own booking survives a reload. */
export function useBooking(bookingFor: BookingFor = 'oneself') {
  const isOwn = bookingFor === 'oneself'
  const { timezone, cardAvailable, category } = useSettings()
  const me = useMe()
  const navigate = useNavigate()
  const [draft, change] = useReducer(changeDraft, isOwn, (own) => (own ? storedDraft() : emptyDraft))
  const [picking, setPicking] = useState<TripEnd | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [laterJustChosen, setLaterJustChosen] = useState(false)
  const [asksSignIn, askSignIn] = useState(false)
  const [trip, setTrip] = useState<TripToConfirm | null>(null)
  // The fare decides whether the wallet suffices, and so the default payment method.
  const [fare, setFare] = useState(0)
  // A delivery is paid in advance, so couriers who take no cash count, too.
  const ownMode = category === 'delivery' ? 'card' : startingPayment(fare, cardAvailable).mode
  const offers = useOffers(draft, isOwn ? ownMode : bookingFor.payment_mode)
  const address = usePointAddress({
    onFound: (which, point) => change({ type: 'place', which, point }),
    onError: setError,
  })

  useEffect(() => {
    if (isOwn) storeDraft(draft)
  }, [draft, isOwn])

  // Only on mount: a pickup that the user cleared stays empty.
  useEffect(() => {
    if (isOwn && !draft.pickup) void address.findGrantedDevice('pickup')
  }, [])

  const list = offers.data?.offers
  const offer = list?.find(({ carType }) => carType.id === draft.carTypeId) ?? null
  useEffect(() => setFare(offer?.fare.trip_cost ?? 0), [offer])

  const { pickup, drop } = draft
  const { noRoute } = offers
  const unreachable = noRoute?.key === 'stop_unreachable' ? noRoute.data.stop : null
  // Alerts once per pair of places, although the query refetches automatically.
  useEffect(() => {
    if (!noRoute) return
    setError(unreachable === null ? new ApiError('place_to_coords_error', 0) : noRoute)
  }, [noRoute?.key, unreachable, pickup, drop])

  const lastCar = isOwn ? null : bookingFor.lastCar
  // Preselects the first type with a car nearby, for the office the caller's last type, unless the user has chosen one.
  useEffect(() => {
    if (!list || offer) return
    const near = list.filter(({ pickupS }) => pickupS !== null)
    const last = list.find(({ carType }) => carType.id === lastCar)
    const first = last ?? near[0] ?? list[0]
    if (first) change({ type: 'car', id: first.carType.id })
  }, [list, offer, lastCar])

  const chooseLater = () => {
    const earliest = earliestTrip(serverNow())
    const kept = fromCityTime(draft.at, timezone)
    setLaterJustChosen(true)
    change({ type: 'later', later: true, at: kept >= earliest ? draft.at : toCityTime(earliest, timezone) })
  }

  /** Opens the confirmation, or shows what is missing. */
  const book = () => {
    const { pickup, drop, later, at } = draft
    const tripdate = later ? fromCityTime(at, timezone) : null
    const office = isOwn ? null : bookingFor.office
    const hasNoRider = !isOwn && office === null
    const mayBook = isOwn ? me?.usertype === 'rider' : true
    const complete = offer !== null && !hasNoRider
    const refusal = bookingRefusal(draft, { signedIn: me !== null, mayBook, complete, tripdate }, serverNow())
    if (refusal === 'must_login') return askSignIn(true)
    if (refusal) return setError(new ApiError(refusal, 0))
    if (!pickup || !drop || !offer) return
    setTrip({ pickup, drop, offer, tripdate, office })
  }

  const [search] = useSearchParams()
  // The booking that was begun before sign-in.
  const asked = search.continue === 'booking'
  // After sign-in, returns to the draft and continues with the confirmation.
  const [continues, setContinues] = useState(asked && draft.pickup !== null && draft.drop !== null)
  useEffect(() => {
    if (!continues || !isOwn || me?.usertype !== 'rider' || !offer) return
    setContinues(false)
    void navigate({ to: '/', search: {}, replace: true })
    book()
  })

  return {
    draft,
    change,
    offers,
    offer,
    address,
    picking,
    setPicking,
    pick: (point: { lat: number; lng: number }, which: TripEnd) => {
      setPicking(null)
      address.findPoint(point, which)
    },
    chooseNow: () => change({ type: 'later', later: false }),
    chooseLater,
    laterJustChosen,
    book,
    error,
    setError,
    asksSignIn,
    stopAskingSignIn: () => askSignIn(false),
    // A saved recipient who is chosen during the confirmation has another address.
    trip: trip && { ...trip, drop: drop ?? trip.drop },
    leaveTrip: () => setTrip(null),
  }
}

export type BookingFormState = ReturnType<typeof useBooking>

/**
 * Fares and pickup times for the chosen route, refreshed twice a minute while the page is visible. Only cars whose
 * drivers accept the payment method count. `noRoute` is the error if no fare can be calculated.
 */
function useOffers({ pickup, drop, parcel }: Draft, payment_mode: PaymentMode) {
  const chosen = pickup !== null && drop !== null && !isSamePlace(pickup, drop)
  const query = useQuery({
    ...orpc.bookings.offers.queryOptions({
      input: {
        pickup: { lat: pickup?.lat ?? 0, lng: pickup?.lng ?? 0 },
        drop: { lat: drop?.lat ?? 0, lng: drop?.lng ?? 0 },
        payment_mode,
        ...(parcel && { delivery: routeEstimate(parcel) }),
      },
    }),
    enabled: chosen,
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
    staleTime: 15_000,
  })
  return { ...query, data: chosen ? query.data : undefined, noRoute: chosen ? noRouteOf(query.error) : null }
}

function noRouteOf(error: unknown): ApiError | null {
  if (!(error instanceof ApiError)) return null
  if (error.key === 'outside_region' || error.key === 'stop_unreachable') return error
  return error.key === 'No Route Found' ? new ApiError('place_to_coords_error', error.status) : null
}
