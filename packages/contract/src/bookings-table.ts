import { bookingStatuses, paymentModes } from '@hansom/domain/bookings/status'
import type { TableSpec } from './tables.ts'

/**
 * The bookings table. A status is one of the ten, or a group: open (not ended) or ended. Bookings can be filtered by
 * the people the viewer may see on them; `fleetadmin` is for admins. The search covers the booking's code, names, plate
 * and addresses, and for admins the rider's email address and phone number.
 */
export const bookingsTableSpec = {
  sorts: ['tripdate', 'bookingDate', 'trip_cost'],
  defaultSort: '-tripdate',
  filters: {
    status: { kind: 'choice', values: [...bookingStatuses, 'open', 'ended'] },
    car_type_id: { kind: 'id' },
    customer: { kind: 'id' },
    driver: { kind: 'id' },
    fleetadmin: { kind: 'id' },
    payment_mode: { kind: 'choice', values: paymentModes },
    bookLater: { kind: 'flag' },
    tripdate: { kind: 'days' },
    /** Several cars and their return trips, made by one request; for admins. */
    group_id: { kind: 'id' },
    /** Riders who object to their driver's cash answer, while the objection is undecided. */
    objection: { kind: 'choice', values: ['open'] },
  },
  /** Cancelled bookings add their cancellation fee only. Refunds, write-offs and payments are for admins. */
  sums: [
    'trip_cost',
    'convenience_fees',
    'driver_share',
    'discount_amount',
    'cancellation_fee',
    'customer_paid',
    'cashPaymentAmount',
    'cardPaymentAmount',
    'usedWalletMoney',
    'outstanding_collected',
    'refunded',
    'write_off',
  ],
  searchable: true,
} as const satisfies TableSpec
