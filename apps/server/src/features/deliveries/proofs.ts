import type { BookingView } from '@hansom/contract/bookings'
import { type Actor, relationTo } from '@hansom/domain/access/relation'
import { partiesOf } from '@hansom/domain/access/visible-booking'
import { mayAddProof } from '@hansom/domain/deliveries/courier-steps'
import {
  type Delivery,
  dropsOf,
  type ProofKind,
  type StopWithProofs,
} from '@hansom/domain/deliveries/delivery'
import { Refusal } from '@hansom/domain/error-keys'
import {
  type Images,
  imageError,
  type Storage,
  type StoredFile,
  type StoredPath,
  storedPath,
} from '../../adapters/storage/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { type BookingsService, lockBooking, publishBeside } from '../bookings/service.ts'
import { deliveryProofsTable } from './table.ts'

/** An image of a stop, as its URL names it. */
export interface ProofName {
  booking: string
  /** `last`: the last drop in visiting order. */
  stop: number | 'last'
  kind: ProofKind
}

export interface ProofsService {
  /** Throws not_found for everyone but the courier, and wrong_status unless the stop accepts images now. */
  check(actor: Actor, name: ProofName): Promise<void>
  /** Re-encodes and stores an image in place of the previous one. Throws like `check`, and the refusals of images. */
  store(actor: Actor, name: ProofName, bytes: Uint8Array): Promise<BookingView>
  /** An image of a booking's stop, for callers that have checked permission; null if there is none. */
  file(
    record: NonNullable<Awaited<ReturnType<BookingsService['read']>>>,
    n: number,
    kind: ProofKind,
  ): Promise<StoredFile | null>
  /** Throws not_found for those who may not see it, as for a missing image. */
  read(actor: Actor, name: ProofName): Promise<StoredFile>
}

export interface ProofDeps {
  database: Pick<Database, 'withTransaction'>
  bookings: Pick<BookingsService, 'get' | 'read' | 'view'>
  storage: Pick<Storage, 'get' | 'put' | 'remove'>
  images: Images
  clock: Pick<Clock, 'now'>
  outbox: Outbox
}

/** Longest sides, pixels: a label in a photo stays readable. */
const sides: Record<ProofKind, number> = { photo: 1600, signature: 800 }

export function createProofsService(deps: ProofDeps): ProofsService {
  const { database, bookings, storage, images, clock, outbox } = deps

  const store = async (actor: Actor, name: ProofName, bytes: Uint8Array) => {
    const { bytes: drawn, contentType } = await images.prepare(bytes, sides[name.kind])
    let path: StoredPath | undefined
    try {
      await database.withTransaction(async (tx) => {
        const { stop, delivery, booking } = openStop(
          await lockBooking(tx, name.booking, clock.now()),
          actor,
          name,
        )
        // Under the booking's lock, so that the image of a settled stop is never replaced.
        path = proofPath(booking.id, delivery, stop, name.kind)
        await storage.put(path, drawn, contentType)
        const at = clock.now()
        const row = { at, by_user: actor.id }
        await tx.db
          .insert(deliveryProofsTable)
          .values({ booking_id: booking.id, n: stop.n, kind: name.kind, ...row })
          .onConflictDoUpdate({
            target: [deliveryProofsTable.booking_id, deliveryProofsTable.n, deliveryProofsTable.kind],
            set: row,
          })
        await publishBeside({ outbox }, tx, booking.id, {
          at,
          by: { role: 'driver', id: actor.id },
          command: 'add_proof',
        })
      })
    } catch (error) {
      if (path !== undefined) await removeUnused(name, path)
      throw imageError(error)
    }
    const record = await bookings.get(actor, name.booking)
    return bookings.view(actor, record)
  }

  /** Removes a file whose row was not committed. The lock keeps it from a concurrent upload. */
  const removeUnused = (name: ProofName, path: StoredPath) =>
    database
      .withTransaction(async (tx) => {
        const record = await lockBooking(tx, name.booking, clock.now())
        if (record?.delivery && stopOf(record.delivery, name)?.[name.kind] === null)
          await storage.remove(path)
      })
      // Without its row the file is not served, and the retention of deliveries removes it.
      .catch(() => undefined)

  return {
    check: async (actor, name) => void openStop(await bookings.read(name.booking), actor, name),
    store: (actor, name, bytes) =>
      store(actor, name, bytes).catch((error: unknown) => {
        throw imageError(error)
      }),
    file: async ({ booking, delivery }, n, kind) => {
      const stop = delivery && stopOf(delivery, { stop: n })
      return delivery && stop?.[kind] ? storage.get(proofPath(booking.id, delivery, stop, kind)) : null
    },
    read: async (actor, name) => {
      const record = await bookings.get(actor, name.booking)
      const view = await bookings.view(actor, record)
      const stop = record.delivery && stopOf(record.delivery, name)
      // The view has a URL exactly for those who may see the image.
      const isShown = view.delivery?.stops.some((one) => one.n === stop?.n && one[name.kind] !== null)
      const file =
        record.delivery && stop && isShown
          ? await storage.get(proofPath(record.booking.id, record.delivery, stop, name.kind))
          : null
      if (file === null) throw new Refusal('not_found')
      return file
    },
  }
}

function stopOf(delivery: Delivery, { stop }: Pick<ProofName, 'stop'>): StopWithProofs | undefined {
  return stop === 'last' ? dropsOf(delivery).at(-1) : delivery.stops.find(({ n }) => n === stop)
}

/** The stop that the courier may add an image to. Throws not_found, wrong_status. */
function openStop(record: Awaited<ReturnType<BookingsService['read']>>, actor: Actor, name: ProofName) {
  const isCourier = record !== null && relationTo(partiesOf(record), actor) === 'driver'
  const delivery = isCourier ? record.delivery : null
  const stop = delivery && stopOf(delivery, name)
  const isSigned = stop?.kind !== 'pickup' || name.kind === 'photo'
  if (!record || !delivery || !stop || !isSigned) throw new Refusal('not_found')
  if (!mayAddProof(record.booking, stop)) throw new Refusal('wrong_status')
  return { stop, delivery, booking: record.booking }
}

/** Where the image of a stop is stored: pickup and last drop have the specification's paths. */
export function proofPath(
  booking: string,
  delivery: Delivery,
  { n, kind: stopKind }: StopWithProofs,
  kind: ProofKind,
): StoredPath {
  if (kind === 'signature') return storedPath.stopImage(booking, n, 'signature')
  if (stopKind === 'pickup') return storedPath.bookingImage(booking, 'pickup_image')
  return n === dropsOf(delivery).at(-1)?.n
    ? storedPath.bookingImage(booking, 'deliver_image')
    : storedPath.stopImage(booking, n, 'deliver_image')
}
