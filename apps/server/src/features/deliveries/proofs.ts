import { randomUUID } from 'node:crypto'
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
import { and, eq } from 'drizzle-orm'
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
import type { Queries } from '../../platform/database/transaction.ts'
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
  database: Pick<Database, 'db' | 'withTransaction'>
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
    const open = openStop(await bookings.read(name.booking), actor, name)
    const upload = randomUUID()
    const path = proofPath(name.booking, open.delivery, open.stop, name.kind, upload)
    // Outside the transaction: a slow storage must not hold the booking's lock and a database connection.
    await storage.put(path, drawn, contentType)
    let replaced: StoredPath | null
    try {
      replaced = await database.withTransaction(async (tx) => {
        const { stop, delivery } = openStop(await lockBooking(tx, name.booking, clock.now()), actor, name)
        const earlier = await uploadOf(tx.db, name.booking, stop.n, name.kind)
        const at = clock.now()
        const row = { at, by_user: actor.id, upload }
        await tx.db
          .insert(deliveryProofsTable)
          .values({ booking_id: name.booking, n: stop.n, kind: name.kind, ...row })
          .onConflictDoUpdate({
            target: [deliveryProofsTable.booking_id, deliveryProofsTable.n, deliveryProofsTable.kind],
            set: row,
          })
        await publishBeside({ outbox }, tx, name.booking, {
          at,
          by: { role: 'driver', id: actor.id },
          command: 'add_proof',
          changes: [{ field: name.kind, from: null, to: stop.n }],
        })
        return earlier && proofPath(name.booking, delivery, stop, name.kind, earlier.upload)
      })
    } catch (error) {
      await removeUnused(name, open.stop.n, { upload, path })
      throw error
    }
    // A file that stays behind is not served, and the retention of deliveries removes it.
    if (replaced !== null) await storage.remove(replaced).catch(() => undefined)
    const record = await bookings.get(actor, name.booking)
    return bookings.view(actor, record)
  }

  /** Removes a file whose row was not committed. A commit may have succeeded although its answer was lost. */
  const removeUnused = async (
    { booking, kind }: ProofName,
    n: number,
    { upload, path }: { upload: string; path: StoredPath },
  ) => {
    try {
      const row = await uploadOf(database.db, booking, n, kind)
      if (row?.upload !== upload) await storage.remove(path)
    } catch {
      // The retention of deliveries removes it.
    }
  }

  /** The stored image of a stop; null if there is none. */
  const fileOf = async (
    booking: string,
    delivery: Delivery,
    stop: StopWithProofs,
    kind: ProofKind,
  ): Promise<StoredFile | null> => {
    let missing: string | undefined
    for (;;) {
      const row = await uploadOf(database.db, booking, stop.n, kind)
      const path = row && proofPath(booking, delivery, stop, kind, row.upload)
      if (path === null || path === missing) return null
      const file = await storage.get(path)
      if (file !== null) return file
      // Replaced after its row was read, unless the row still names it.
      missing = path
    }
  }

  return {
    check: async (actor, name) => void openStop(await bookings.read(name.booking), actor, name),
    store: (actor, name, bytes) =>
      store(actor, name, bytes).catch((error: unknown) => {
        throw imageError(error)
      }),
    file: async ({ booking, delivery }, n, kind) => {
      const stop = delivery && stopOf(delivery, { stop: n })
      return delivery && stop?.[kind] ? fileOf(booking.id, delivery, stop, kind) : null
    },
    read: async (actor, name) => {
      const record = await bookings.get(actor, name.booking)
      const view = await bookings.view(actor, record)
      const stop = record.delivery && stopOf(record.delivery, name)
      // The view has a URL exactly for those who may see the image.
      const isShown = view.delivery?.stops.some((one) => one.n === stop?.n && one[name.kind] !== null)
      const file =
        record.delivery && stop && isShown
          ? await fileOf(record.booking.id, record.delivery, stop, name.kind)
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
  return { stop, delivery }
}

/** The upload of a stop's image; null if there is none. */
async function uploadOf(
  db: Queries,
  booking: string,
  stop: number,
  kind: ProofKind,
): Promise<{ upload: string | null } | null> {
  const { upload, booking_id, n, kind: kindColumn } = deliveryProofsTable
  const [row] = await db
    .select({ upload })
    .from(deliveryProofsTable)
    .where(and(eq(booking_id, booking), eq(n, stop), eq(kindColumn, kind)))
  return row ?? null
}

/**
 * Where an upload of a stop's image is stored: pickup and last drop have the specification's paths, followed by the
 * upload. Each upload has a file of its own, so that a refused one replaces nothing.
 */
function proofPath(
  booking: string,
  delivery: Delivery,
  { n, kind: stopKind }: StopWithProofs,
  kind: ProofKind,
  upload: string | null,
): StoredPath {
  if (kind === 'signature') return storedPath.stopImage(booking, n, 'signature', upload)
  if (stopKind === 'pickup') return storedPath.bookingImage(booking, 'pickup_image', upload)
  return n === dropsOf(delivery).at(-1)?.n
    ? storedPath.bookingImage(booking, 'deliver_image', upload)
    : storedPath.stopImage(booking, n, 'deliver_image', upload)
}
