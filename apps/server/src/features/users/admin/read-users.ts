import { shownRatings, type UserDetails, type UserView } from '@hansom/contract/users'
import { type Actor, userRelationTo } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import { and, desc, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Queries } from '../../../platform/database/transaction.ts'
import { authUsersTable } from '../../accounts/table.ts'
import type { BookingsService } from '../../bookings/service.ts'
import { carTypesTable } from '../../car-types/table.ts'
import type { UsersService } from '../service.ts'
import { userRatingsTable, usersTable } from '../table.ts'
import { type JoinedUser, userView, type ViewOptions } from '../views.ts'

const fleet = alias(usersTable, 'fleet')

function users(queries: Queries) {
  return queries
    .select({
      user: getTableColumns(usersTable),
      carType: carTypesTable.name,
      fleetadmin_name: sql<
        string | null
      >`nullif(trim(concat(${fleet.firstName}, ' ', ${fleet.lastName})), '')`,
      userPlatform: sql<
        string | null
      >`(select user_platform from newest_devices d where d.user_id = ${usersTable.id})`,
      emailVerified: sql<boolean>`coalesce(${authUsersTable.emailVerified}, true)`,
    })
    .from(usersTable)
    .leftJoin(carTypesTable, eq(carTypesTable.id, usersTable.car_type_id))
    .leftJoin(fleet, eq(fleet.id, usersTable.fleetadmin))
    .leftJoin(authUsersTable, eq(authUsersTable.id, usersTable.id))
    .$dynamic()
}

/**
 * Returns one user as the actor sees them. Throws not_found for an unknown user and for one the actor may not see.
 */
export async function readUser(
  queries: Queries,
  actor: Actor,
  id: string,
  shown: ViewOptions,
): Promise<UserDetails> {
  const [row] = await users(queries).where(and(eq(usersTable.id, id), isNull(usersTable.deleted_at)))
  const view = row && viewOf(row, actor, shown)
  if (!view) throw new Refusal('not_found')
  const details = await queries
    .select({ user: userRatingsTable.rated_by, rate: userRatingsTable.rate })
    .from(userRatingsTable)
    .where(eq(userRatingsTable.user_id, id))
    .orderBy(desc(userRatingsTable.at), desc(userRatingsTable.booking_id))
    .limit(shownRatings)
  return { ...view, ratings: { userrating: view.rating, details } }
}

/** Returns users by id, in that order, as the actor sees them; omits those the actor may not see. */
export async function readUsers(
  queries: Queries,
  actor: Actor,
  ids: readonly string[],
  shown: ViewOptions,
): Promise<UserView[]> {
  if (ids.length === 0) return []
  const rows = await users(queries).where(inArray(usersTable.id, [...ids]))
  const byId = new Map(rows.map((row) => [row.user.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return (row && viewOf(row, actor, shown)) ?? []
  })
}

function viewOf(row: JoinedUser, actor: Actor, shown: ViewOptions): UserView | null {
  const relation = userRelationTo(row.user, actor)
  return relation === null ? null : userView(row, relation, shown)
}

/**
 * How long after a trip its rider, driver and fleet admin see each other's pictures, ms: for lost items and complaints.
 */
const sharedPhotoMs = 30 * 24 * 60 * 60_000

/**
 * Whether the actor may see a user's picture: the user, admins, the driver's fleet admin and, for `sharedPhotoMs`
 * after it, the rider, driver and fleet admin of a shared booking.
 */
export async function canViewPhoto(
  deps: {
    users: Pick<UsersService, 'find'>
    bookings: Pick<BookingsService, 'haveShared'>
    clock: Pick<Clock, 'now'>
  },
  actor: Actor,
  id: string,
): Promise<boolean> {
  const user = await deps.users.find(id)
  if (user === null || user.profile_image === null) return false
  if (userRelationTo(user, actor) !== null) return true
  return deps.bookings.haveShared(id, actor.id, deps.clock.now() - sharedPhotoMs)
}
