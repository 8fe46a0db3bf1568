import type { Relation } from '../access/relation.ts'
import { audienceOf, bookingFields, type ViewField } from './fields.ts'

/** Text key of a field's name in the back office. */
export function labelOf(field: ViewField): string {
  const row = bookingFields[field]
  if ('written' in row) return `bookingTexts.${field}`
  return `history.${'label' in row ? row.label : field}`
}

/** A column of exported bookings. */
export interface ExportedField {
  field: ViewField
  /** Prefix of the text keys of its values. */
  texts?: string
  /** Relations whose export has it; the field's audience when omitted. */
  to?: readonly Relation[]
}

export const exportedFields: readonly ExportedField[] = [
  { field: 'booking_id' },
  { field: 'status', texts: 'history.status_' },
  { field: 'tripdate' },
  { field: 'bookingDate' },
  { field: 'bookLater' },
  { field: 'carType' },
  { field: 'customer_name' },
  { field: 'driver_name' },
  { field: 'vehicle_number' },
  { field: 'pickupAddress' },
  { field: 'dropAddress' },
  { field: 'distance' },
  { field: 'currency' },
  { field: 'trip_cost' },
  { field: 'convenience_fees', to: audienceOf('driver_share') },
  { field: 'driver_share' },
  { field: 'discount_amount' },
  { field: 'payment_mode', texts: 'exports.pay_' },
  { field: 'estimate' },
  { field: 'promo_name' },
  { field: 'customer_paid' },
  { field: 'cashPaymentAmount' },
  { field: 'cardPaymentAmount' },
  { field: 'usedWalletMoney' },
  { field: 'outstanding_collected' },
  { field: 'cancellation_fee' },
  { field: 'cancelledBy', texts: 'trip.actor_' },
  { field: 'reason', texts: 'trip.reason_' },
  { field: 'accepted_at' },
  { field: 'driver_arrive_time' },
  { field: 'trip_start_time' },
  { field: 'trip_end_time' },
  { field: 'rating' },
  { field: 'note' },
]
