import { createHash, randomBytes } from 'node:crypto'
import type { SharedTripView } from '@hansom/contract/trip-links'
import type { Actor } from '@hansom/domain/access/relation'
import { sharedTrip } from '@hansom/domain/access/shared-trip'
import { Refusal } from '@hansom/domain/error-keys'
import { and, count, eq, inArray, isNull } from 'drizzle-orm'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries } from '../../platform/database/transaction.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { BookingsService } from '../bookings/service.ts'
import type { TrackingService } from '../bookings/tracking/service.ts'
import { tripLinksTable } from './table.ts'

export interface TripLinksDeps {
  database: Database
  clock: Pick<Clock, 'now'>
  bookings: Pick<BookingsService, 'get' | 'read'>
  tracking: Pick<TrackingService, 'latestOf'>
}

/** Links that show a trip in progress to anyone who has them. */
export interface TripLinksService {
  /** Number of active links of the rider's trip. Throws not_found. */
  count(actor: Actor, booking: string): Promise<number>
  /**
   * Returns the path of a new link. Throws not_found, link_expired once the trip has ended, conflict beyond `maxLinks`.
   */
  create(actor: Actor, booking: string): Promise<string>
  /** Revokes all links of the trip. Throws not_found. */
  revoke(actor: Actor, booking: string): Promise<void>
  /** The trip of a token. Throws link_expired if the token is unknown or revoked, or the trip is over. */
  show(token: string): Promise<SharedTripView>
}

/** Maximum number of active links of a trip. */
const maxLinks = 10
const tokenBytes = 16
/** Drivers may return a trip repeatedly; each time a new booking replaces it. */
const maxRebookings = 20

export function createTripLinksService(deps: TripLinksDeps): TripLinksService {
  const { database, clock, bookings, tracking } = deps

  /** The booking and those it replaces: links made before a driver returned the trip belong to the same trip. */
  const lineage = async (actor: Actor, id: string) => {
    const { booking } = await bookings.get(actor, id)
    const ids = booking.rebooked_from === null ? [id] : await follow(database, id, 'rebooked_from')
    return { booking, ids }
  }
  const activeOf = (ids: string[]) =>
    and(inArray(tripLinksTable.booking_id, ids), isNull(tripLinksTable.revoked_at))
  const countActive = async (db: Queries, ids: string[]) => {
    const [row] = await db.select({ links: count() }).from(tripLinksTable).where(activeOf(ids))
    return row?.links ?? 0
  }

  return {
    count: async (actor, id) => {
      return countActive(database.db, (await lineage(actor, id)).ids)
    },
    create: async (actor, id) => {
      const { booking, ids } = await lineage(actor, id)
      if (sharedTrip(booking) === null) throw new Refusal('link_expired')
      const token = randomBytes(tokenBytes).toString('base64url')
      await database.withTransaction(async (tx) => {
        // Serialized, so that concurrent requests cannot exceed the limit.
        await tx.client.query(`select pg_advisory_xact_lock(hashtextextended('trip-links ' || $1, 0))`, [
          ids.at(-1),
        ])
        if ((await countActive(tx.db, ids)) >= maxLinks) throw new Refusal('conflict')
        await tx.db
          .insert(tripLinksTable)
          .values({ token_hash: hashOf(token), booking_id: booking.id, created_at: clock.now() })
      })
      return `/track/${token}`
    },
    revoke: async (actor, id) => {
      const { ids } = await lineage(actor, id)
      await database.db.update(tripLinksTable).set({ revoked_at: clock.now() }).where(activeOf(ids))
    },
    show: async (token) => {
      const [link] = await database.db
        .select({ booking: tripLinksTable.booking_id })
        .from(tripLinksTable)
        .where(and(eq(tripLinksTable.token_hash, hashOf(token)), isNull(tripLinksTable.revoked_at)))
      const newest = link && (await follow(database, link.booking, 'rebooked_as')).at(-1)
      const record = newest === undefined ? null : await bookings.read(newest)
      const trip = record && sharedTrip(record.booking)
      if (record === null || trip === null) throw new Refusal('link_expired')
      const hasCar = record.booking.driver !== null
      return { ...trip, point: hasCar ? await tracking.latestOf(record) : null }
    },
  }
}

/** A booking and those it replaced, or those that replaced it, in order. */
async function follow(
  { pool }: Pick<Database, 'pool'>,
  booking: string,
  to: 'rebooked_from' | 'rebooked_as',
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `with recursive chain as (
        select id, ${to} as next, 0 as step from booking_links where id = $1
        union all
        select b.id, b.${to}, c.step + 1 from booking_links b join chain c on b.id = c.next where c.step < $2)
      select id from chain order by step`,
    [booking, maxRebookings],
  )
  return rows.map(({ id }) => id)
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

export function tripLinksRoutes({ tripLinks: os }: Os, links: TripLinksService) {
  return {
    count: os.count
      .use(signedIn)
      .handler(async ({ context, input }) => ({ active: await links.count(context.actor, input.id) })),
    create: os.create
      .use(signedIn)
      .handler(async ({ context, input }) => ({ path: await links.create(context.actor, input.id) })),
    revoke: os.revoke.use(signedIn).handler(async ({ context, input }) => {
      await links.revoke(context.actor, input.id)
      return { active: 0 }
    }),
    show: os.show.handler(({ input }) => links.show(input.token)),
  }
}
