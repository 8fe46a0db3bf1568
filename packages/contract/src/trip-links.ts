import { sharedShape } from '@hansom/domain/access/shared-trip'
import { deliveryLimits } from '@hansom/domain/deliveries/delivery'
import { recipientShape } from '@hansom/domain/deliveries/recipient-view'
import { z } from 'zod'
import { base } from './base.ts'
import { bookingView } from './bookings.ts'
import { recipientContact, stopNumber } from './deliveries.ts'
import { id, zodFields } from './shapes.ts'
import { trackingPoint } from './tracking.ts'

/** A trip as shared by its link. `point` is the car's last position, null before a driver accepts. */
const sharedTrip = z.object({
  ...zodFields(sharedShape),
  point: trackingPoint.nullable(),
  parcel: z.null(),
})
export type SharedTripView = z.infer<typeof sharedTrip>

/** What a recipient's link shows; it works on after the end, for the proof. `point` only on the way to their stop. */
const sharedParcel = z.object({
  point: trackingPoint.nullable(),
  parcel: z.object(zodFields(recipientShape)),
})
export type SharedParcelView = z.infer<typeof sharedParcel>

const shared = z.union([sharedTrip, sharedParcel])
export type SharedView = z.infer<typeof shared>

const ofBooking = <M extends 'GET' | 'POST' | 'DELETE'>(method: M) =>
  base.route({ method, path: '/api/v1/bookings/{id}/links', tags: ['trip links'] })
const active = z.object({
  /** Number of links of the rider or sender that show the trip now. */
  active: z.int(),
})

/** Links that show a trip without sign-in until it ends. */
export const tripLinksContract = {
  count: ofBooking('GET').input(z.object({ id })).output(active),
  /**
   * Creates a link: `path` is its page. Throws conflict for too many links of one trip; link_expired once the trip has
   * ended.
   */
  create: base
    .route({
      method: 'POST',
      path: '/api/v1/bookings/{id}/links',
      tags: ['trip links'],
      successStatus: 201,
    })
    .input(z.object({ id }))
    .output(z.object({ path: z.string() })),
  /** Revokes the links that the rider or sender made. Those of recipients stay: a correction revokes them. */
  revoke: ofBooking('DELETE').input(z.object({ id })).output(active),
  /**
   * Corrects the recipient of a stop, until its outcome: the sender and admins. With another phone number or email
   * address, the old links stop working, and the new recipient gets a new code and is informed. Throws not_found,
   * too_late, invalid_input.
   */
  correct: base
    .route({ method: 'PUT', path: '/api/v1/bookings/{id}/recipient', tags: ['deliveries'] })
    .input(z.strictObject({ id, stop: stopNumber, ...recipientContact }))
    .output(bookingView),
  /** Throws link_expired for an unknown or revoked link and once the trip has ended. */
  show: base
    .route({ method: 'GET', path: '/api/v1/track/{token}', tags: ['trip links'] })
    .input(z.object({ token: z.string().max(64) }))
    .output(shared),
  /** The recipient changes the instructions for the door. Throws link_expired, too_many_changes, too_late once the courier is near. */
  instruct: base
    .route({ method: 'PUT', path: '/api/v1/track/{token}/instructions', tags: ['trip links'] })
    .input(
      z.strictObject({
        token: z.string().max(64),
        instructions: z.string().trim().max(deliveryLimits.instructions),
      }),
    )
    .output(sharedParcel),
}
