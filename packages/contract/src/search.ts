import { bookingStatuses } from '@hansom/domain/bookings/status'
import { z } from 'zod'
import { base } from './base.ts'
import { id, instant } from './shapes.ts'

/** A user found by the search. On a demo that hides contacts, the email of riders and drivers is a placeholder. */
export const foundUser = z.object({
  uid: id,
  name: z.string(),
  /** Null for a guest. */
  email: z.string().nullable(),
  vehicleNumber: z.string().nullable(),
})
export type FoundUser = z.infer<typeof foundUser>

export const foundBooking = z.object({
  id,
  booking_id: z.string(),
  status: z.enum(bookingStatuses),
  tripdate: instant,
  /** When drivers are asked; before it, a NEW booking is upcoming. */
  drivers_asked_at: instant.nullable(),
  pickupAddress: z.string(),
  dropAddress: z.string(),
  /** The rider, for admins and the driver; the driver, for the rider. */
  name: z.string().nullable(),
})
export type FoundBooking = z.infer<typeof foundBooking>

/** Most results of each kind. */
export const maxResultsPerKind = 6

export const searchContract = {
  /**
   * Searches everything the person may see: an admin riders, drivers (also by plate) and bookings, a fleet admin their
   * own drivers and their bookings, others their own bookings. Fewer than two letters find nothing.
   */
  find: base
    .route({ method: 'GET', path: '/api/v1/search', tags: ['search'] })
    .input(z.object({ q: z.string().trim().max(100) }))
    .output(
      z.object({
        riders: z.array(foundUser),
        drivers: z.array(foundUser),
        bookings: z.array(foundBooking),
      }),
    ),
}
