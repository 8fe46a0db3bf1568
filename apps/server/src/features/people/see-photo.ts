import type { Person } from '@hansom/domain/access/relation'
import { userRelationTo } from '@hansom/domain/access/user-relation'
import type { Pool } from 'pg'
import type { UsersService } from '../users/service.ts'

/**
 * Who may see a person's picture: that person, admins, the driver's fleet admin, and whoever sees it on a booking they
 * share: its rider, its driver, its fleet admin.
 */
export async function maySeePhoto(
  deps: { pool: Pool; users: Pick<UsersService, 'find'> },
  viewer: Person,
  id: string,
): Promise<boolean> {
  const user = await deps.users.find(id)
  if (user === null || user.profile_image === null) return false
  if (userRelationTo(user, viewer) !== null) return true
  const reply = await deps.pool.query<{ shared: boolean }>(
    `select exists (select from bookings where driver = $1 and (customer = $2 or fleetadmin = $2))
      or exists (select from bookings where customer = $1 and (driver = $2 or fleetadmin = $2)) as shared`,
    [id, viewer.id],
  )
  return reply.rows[0]?.shared ?? false
}
