import type { Actor } from '@hansom/domain/access/relation'
import { userRelationTo } from '@hansom/domain/access/user-relation'
import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { UsersService } from '../service.ts'

/**
 * How long after a trip its rider, driver and fleet admin see each other's pictures, ms: for lost items and complaints.
 */
const sharedPhotoMs = 30 * 24 * 60 * 60_000

/**
 * Whether the viewer may see a user's picture: the user, admins, the driver's fleet admin and, for `sharedPhotoMs`
 * after it, the rider, driver and fleet admin of a shared booking.
 */
export async function canViewPhoto(
  deps: { pool: Pool; users: Pick<UsersService, 'find'>; clock: Pick<Clock, 'now'> },
  viewer: Actor,
  id: string,
): Promise<boolean> {
  const user = await deps.users.find(id)
  if (user === null || user.profile_image === null) return false
  if (userRelationTo(user, viewer) !== null) return true
  const recent = `(status not in ('PAID', 'COMPLETE', 'CANCELLED')
    or coalesce(closed_at, trip_end_time, accepted_at, booking_date) > $3)`
  const reply = await deps.pool.query<{ shared: boolean }>(
    `select exists (select from bookings where driver = $1 and (customer = $2 or fleetadmin = $2) and ${recent})
      or exists (select from bookings where customer = $1 and (driver = $2 or fleetadmin = $2) and ${recent}) as shared`,
    [id, viewer.id, deps.clock.now() - sharedPhotoMs],
  )
  return reply.rows[0]?.shared ?? false
}
