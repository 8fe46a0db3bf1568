import { bookingStatuses, paymentModes } from '@hansom/domain/bookings/status'
import { reportReasons } from '@hansom/domain/chats/chat'
import { outcomes } from '@hansom/domain/reports/operations'
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
    /** How ended bookings ended; `hour` (0 to 23) and `area` are those of the operator's figures. */
    outcome: { kind: 'choice', values: outcomes },
    reason: { kind: 'text' },
    hour: { kind: 'numbers' },
    area: { kind: 'numbers' },
    /** Whether a driver was asked, accepted, and arrived at the pickup, in bookings that have ended. */
    offered: { kind: 'flag' },
    accepted: { kind: 'flag' },
    arrived: { kind: 'flag' },
    /** Riders who object to their driver's cash answer or a return leg, while the objection is undecided. */
    objection: { kind: 'choice', values: ['open'] },
    /** Deliveries with a stop that no one could check, by the day on which it was reported. */
    unproven: { kind: 'days' },
    /** Bookings whose chat was reported, for any or for these reasons, while an admin has not settled it; for admins. */
    chat_report: { kind: 'choice', values: ['open', ...reportReasons] },
    /** The same by the day of the report. */
    reported: { kind: 'days' },
  },
  /**
   * As in the reports: paid trips only, and `trip_cost` includes the cancellation fees of cancelled bookings. Open bookings
   * add nothing. Refunds, write-offs and payments are for admins.
   */
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
