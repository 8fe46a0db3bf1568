import type { BookingView } from '@hansom/contract/bookings'
import type { SharedParcelView, SharedView } from '@hansom/contract/trip-links'
import type { Actor } from '@hansom/domain/access/relation'
import { sharedTrip } from '@hansom/domain/access/shared-trip'
import type { Recipient } from '@hansom/domain/deliveries/correct-recipient'
import { type ProofKind, proofKinds } from '@hansom/domain/deliveries/delivery'
import { mayFollowCourier, recipientView } from '@hansom/domain/deliveries/recipient-view'
import { Refusal } from '@hansom/domain/error-keys'
import { and, count, eq, inArray, isNull } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { StoredFile } from '../../adapters/storage/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import { followLinks } from '../bookings/follow-links.ts'
import type { BookingsService } from '../bookings/service.ts'
import type { TrackingService } from '../bookings/tracking/service.ts'
import { hashOf, newToken } from './recipient-messages.ts'
import { tripLinksTable } from './table.ts'

/** A booking with its delivery. */
export type LinkedBooking = NonNullable<Awaited<ReturnType<BookingsService['read']>>>

export interface TripLinksDeps {
  database: Database
  clock: Pick<Clock, 'now'>
  bookings: Pick<BookingsService, 'get' | 'read' | 'view'>
  tracking: Pick<TrackingService, 'latestOf'>
  /** Changes the instructions of an open stop. */
  changeInstructions(booking: string, stop: number, instructions: string): Promise<void>
  /** Corrects the recipient of an open stop; true if they have another phone number or email address. */
  correctRecipient(tx: Transaction, actor: Actor, corrected: Correction): Promise<boolean>
  /** The image of a stop; null if there is none. */
  proofFile(record: LinkedBooking, stop: number, kind: ProofKind): Promise<StoredFile | null>
}

interface Correction {
  booking: string
  stop: number
  recipient: Recipient
}

/** Links that show a trip in progress to anyone who has them. */
export interface TripLinksService {
  /** Number of active links that the rider or sender made. Throws not_found. */
  count(actor: Actor, booking: string): Promise<number>
  /**
   * Returns the path of a new link. Throws not_found, link_expired once the trip has ended, conflict beyond `maxLinks`.
   */
  create(actor: Actor, booking: string): Promise<string>
  /**
   * Returns the path of the link with `token`, and makes it at the first call. The limit counts it but does not refuse it.
   * Throws not_found, and link_expired once the trip has ended or the link is revoked.
   */
  createOnce(actor: Actor, booking: string, token: string): Promise<string>
  /** Revokes the links that the rider or sender made; recipients keep theirs. Throws not_found. */
  revoke(actor: Actor, booking: string): Promise<void>
  /** The trip of a token. Throws link_expired if the token is unknown or revoked, or the trip is over. */
  show(token: string): Promise<SharedView>
  /** Changes the instructions of a recipient's stop. Throws link_expired, too_late, too_many_changes. */
  instruct(token: string, instructions: string): Promise<SharedParcelView>
  /** A proof of a recipient's stop. Throws link_expired, not_found. */
  proof(token: string, kind: ProofKind): Promise<StoredFile>
  /**
   * Corrects the recipient of an open stop, for the sender and admins. Someone with another contact gets a new code and a new
   * link, and the old links are revoked. Throws not_found, too_late, invalid_input.
   */
  correct(actor: Actor, corrected: Correction): Promise<BookingView>
}

/** Maximum number of active links of a trip. */
const maxLinks = 10

export function createTripLinksService(deps: TripLinksDeps): TripLinksService {
  const { database, clock, bookings, tracking } = deps

  /** The booking and those it replaces: links made before a driver returned the trip belong to the same trip. */
  const lineage = async (actor: Actor, id: string) => {
    const { booking } = await bookings.get(actor, id)
    const ids = booking.rebooked_from === null ? [id] : await followLinks(database, id, 'rebooked_from')
    return { booking, ids }
  }
  const activeOf = (ids: string[]) =>
    and(inArray(tripLinksTable.booking_id, ids), isNull(tripLinksTable.revoked_at))
  /** Links that the rider or sender made. */
  const ownOf = (ids: string[]) => and(activeOf(ids), isNull(tripLinksTable.stop))
  const countLinks = async (db: Queries, which: ReturnType<typeof activeOf>) => {
    const [row] = await db.select({ links: count() }).from(tripLinksTable).where(which)
    return row?.links ?? 0
  }
  /** The booking that a token leads to, through its replacements. Throws link_expired. */
  const find = async (token: string) => {
    const [link] = await database.db
      .select({ booking: tripLinksTable.booking_id, stop: tripLinksTable.stop })
      .from(tripLinksTable)
      .where(and(eq(tripLinksTable.token_hash, hashOf(token)), isNull(tripLinksTable.revoked_at)))
    const newest = link && (await followLinks(database, link.booking, 'rebooked_as')).at(-1)
    const record = newest === undefined ? null : await bookings.read(newest)
    if (!link || !record) throw new Refusal('link_expired')
    return { record, stop: link.stop }
  }

  const show = async (token: string): Promise<SharedView> => {
    const { record, stop } = await find(token)
    if (stop !== null) return showParcel(record, stop)
    const trip = sharedTrip(record.booking)
    if (trip === null) throw new Refusal('link_expired')
    const hasCar = record.booking.driver !== null
    return { ...trip, point: hasCar ? await tracking.latestOf(record) : null, parcel: null }
  }

  const showParcel = async (record: LinkedBooking, n: number): Promise<SharedParcelView> => {
    const { booking, delivery } = record
    const isFollowed = delivery !== null && mayFollowCourier(booking, delivery, n)
    const point = isFollowed ? await tracking.latestOf(record) : null
    const parcel = delivery && recipientView(booking, delivery, n, point, clock.now())
    if (!parcel) throw new Refusal('link_expired')
    return { point, parcel }
  }

  return {
    count: async (actor, id) => {
      return countLinks(database.db, ownOf((await lineage(actor, id)).ids))
    },
    create: async (actor, id) => {
      const { booking, ids } = await lineage(actor, id)
      if (sharedTrip(booking) === null) throw new Refusal('link_expired')
      const token = newToken()
      await database.withTransaction(async (tx) => {
        // Serialized, so that concurrent requests cannot exceed the limit.
        await tx.client.query(`select pg_advisory_xact_lock(hashtextextended('trip-links ' || $1, 0))`, [
          ids.at(-1),
        ])
        if ((await countLinks(tx.db, ownOf(ids))) >= maxLinks) throw new Refusal('conflict')
        await tx.db
          .insert(tripLinksTable)
          .values({ token_hash: hashOf(token), booking_id: booking.id, created_at: clock.now() })
      })
      return `/track/${token}`
    },
    createOnce: async (actor, id, token) => {
      const { booking } = await bookings.get(actor, id)
      if (sharedTrip(booking) === null) throw new Refusal('link_expired')
      const token_hash = hashOf(token)
      await database.db
        .insert(tripLinksTable)
        .values({ token_hash, booking_id: booking.id, created_at: clock.now() })
        .onConflictDoNothing()
      const [active] = await database.db
        .select({ booking: tripLinksTable.booking_id })
        .from(tripLinksTable)
        .where(and(eq(tripLinksTable.token_hash, token_hash), isNull(tripLinksTable.revoked_at)))
      if (active === undefined) throw new Refusal('link_expired')
      return `/track/${token}`
    },
    revoke: async (actor, id) => {
      const { ids } = await lineage(actor, id)
      await database.db.update(tripLinksTable).set({ revoked_at: clock.now() }).where(ownOf(ids))
    },
    show: (token) => show(token),
    instruct: async (token, instructions) => {
      const { record, stop } = await find(token)
      if (stop === null) throw new Refusal('not_found')
      if (!(await showParcel(record, stop)).parcel.may_edit) throw new Refusal('too_late')
      await deps.changeInstructions(record.booking.id, stop, instructions)
      const changed = await bookings.read(record.booking.id)
      return showParcel(changed ?? record, stop)
    },
    proof: async (token, kind) => {
      const { record, stop } = await find(token)
      if (stop === null) throw new Refusal('not_found')
      const { parcel } = await showParcel(record, stop)
      const at = kind === 'photo' ? parcel.photo_at : parcel.signature_at
      const file = at === null ? null : await deps.proofFile(record, stop, kind)
      if (file === null) throw new Refusal('not_found')
      return file
    },
    correct: async (actor, corrected) => {
      const { ids } = await lineage(actor, corrected.booking)
      await database.withTransaction(async (tx) => {
        if (!(await deps.correctRecipient(tx, actor, corrected))) return
        await tx.db
          .update(tripLinksTable)
          .set({ revoked_at: clock.now() })
          .where(and(activeOf(ids), eq(tripLinksTable.stop, corrected.stop)))
      })
      return bookings.view(actor, await bookings.get(actor, corrected.booking))
    },
  }
}

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
    correct: os.correct.use(signedIn).handler(async ({ context, input: { id, stop, ...recipient } }) => {
      const { AllowCriticalEditsAdmin } = await context.settings()
      if (context.actor.role === 'admin' && !AllowCriticalEditsAdmin) throw new Refusal('demo_mode')
      return links.correct(context.actor, { booking: id, stop, recipient })
    }),
    instruct: os.instruct.handler(({ input }) => links.instruct(input.token, input.instructions)),
  }
}

/** `/api/v1/track/<token>/photo` and `/signature`: the proofs of a recipient's stop, for anyone with the link. */
export function mountParcelImages(
  server: FastifyInstance,
  links: Pick<TripLinksService, 'proof'>,
  perMinute: number,
): void {
  const config = { rateLimit: { max: perMinute, groupId: 'parcelImages' } }
  for (const kind of proofKinds) {
    server.get<{ Params: { token: string } }>(
      `/api/v1/track/:token/${kind}`,
      { exposeHeadRoute: false, config },
      async ({ params }, reply) => {
        const { bytes, contentType } = await links.proof(params.token.slice(0, 64), kind)
        return reply
          .header('cache-control', 'private, max-age=300')
          .header('content-disposition', 'inline')
          .type(contentType)
          .send(Buffer.from(bytes))
      },
    )
  }
}
