import type { Relation } from '../access/relation.ts'
import type { VisibleBooking } from '../access/visible-booking.ts'
import { decodePolyline } from '../geo/polyline.ts'
import type { Settings } from '../settings/settings.ts'
import { isByCard } from './amounts.ts'
import type { ViewFields } from './fields.ts'

/** Fields of the public record that are derived from stored fields. */
export type DerivedFields = Pick<
  ViewFields,
  'startTime' | 'endTime' | 'coords' | 'discount' | 'paymentPacket'
>

/** Most waypoints of a route in the public record. */
export const maxCoords = 25

const payers: readonly Relation[] = ['rider', 'admin']

/** Derives the fields from the view of `viewer`, so that hidden values do not reappear under another name. */
export function derivedFields(
  visible: VisibleBooking,
  viewer: Relation,
  category: Settings['category'],
): DerivedFields {
  return {
    startTime: visible.trip_start_time,
    endTime: visible.trip_end_time,
    coords: waypoints(visible.route),
    discount: visible.discount_amount,
    paymentPacket:
      payers.includes(viewer) && isByCard(visible.payment_mode) ? paymentPacket(visible, category) : null,
  }
}

function paymentPacket(
  visible: VisibleBooking,
  category: Settings['category'],
): DerivedFields['paymentPacket'] {
  const { trip_cost, discount_amount, cardPaymentAmount, payableAmount } = visible
  return {
    appcat: category,
    payment_mode: 'card',
    customer_paid: trip_cost - discount_amount,
    discount_amount,
    usedWalletMoney: visible.usedWalletMoney,
    cardPaymentAmount: cardPaymentAmount || payableAmount,
    cashPaymentAmount: 0,
    payableAmount,
    promo_applied: visible.promo_applied,
    promo_details: visible.promo_details,
  }
}

/** Every n-th point of an encoded route, with both ends. */
function waypoints(route: string): DerivedFields['coords'] {
  const path = decodePolyline(route)
  const last = path.length - 1
  const count = Math.min(path.length, maxCoords)
  return Array.from({ length: count }, (_, index) => {
    const at = count === 1 ? 0 : Math.round((index * last) / (count - 1))
    const { lat, lng } = path[at] ?? { lat: 0, lng: 0 }
    return { latitude: lat, longitude: lng }
  })
}
