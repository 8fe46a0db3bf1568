import { paymentModes } from '@hansom/domain/bookings/booking'
import { bookingStatuses } from '@hansom/domain/bookings/status'
import type { TableOffer } from './tables.ts'

/**
 * The table of bookings. A status is one of the ten, or the group: open (not ended) or ended. Whose bookings they are
 * may be narrowed by those whom the viewer sees there; `fleetadmin` is the admin's. Words are looked for in the
 * booking's code, names, plate and addresses.
 */
export const bookingsOffer = {
  sorts: ['tripdate', 'trip_cost'],
  opensWith: '-tripdate',
  filters: {
    status: { kind: 'choice', values: [...bookingStatuses, 'open', 'ended'] },
    car_type_id: { kind: 'id' },
    customer: { kind: 'id' },
    driver: { kind: 'id' },
    fleetadmin: { kind: 'id' },
    payment_mode: { kind: 'choice', values: paymentModes },
    bookLater: { kind: 'flag' },
    tripdate: { kind: 'days' },
    /** Riders who object to what their driver said of the cash, as far as nothing is decided. */
    objection: { kind: 'choice', values: ['open'] },
  },
  searchable: true,
} as const satisfies TableOffer
