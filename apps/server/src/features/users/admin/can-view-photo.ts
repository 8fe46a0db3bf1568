import { type Actor, userRelationTo } from '@hansom/domain/access/relation'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { BookingsService } from '../../bookings/service.ts'
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
  deps: {
    users: Pick<UsersService, 'find'>
    bookings: Pick<BookingsService, 'haveShared'>
    clock: Pick<Clock, 'now'>
  },
  viewer: Actor,
  id: string,
): Promise<boolean> {
  const user = await deps.users.find(id)
  if (user === null || user.profile_image === null) return false
  if (userRelationTo(user, viewer) !== null) return true
  return deps.bookings.haveShared(id, viewer.id, deps.clock.now() - sharedPhotoMs)
}
